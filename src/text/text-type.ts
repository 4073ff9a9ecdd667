const SUBTYPES =
  'json|xml|javascript|ecmascript|x-javascript|x-ndjson|toml|yaml|x-yaml|sql|graphql|x-sh|x-tex|x-subrip|x-httpd-php';
const TEXT_TYPE = new RegExp(
  `^(?:text/[\\w.+-]+|[\\w.-]+/[\\w.-]+\\+(?:json|xml)|application/(?:${SUBTYPES}))$`,
);

/** Reports whether content of a media type, in lower case and without parameters, is text. */
export const isTextType = (mediaType: string) => TEXT_TYPE.test(mediaType);
