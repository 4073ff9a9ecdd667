/**
 * Reports whether a GET may be redirected to the same bytes on S3, where the client repeats it.
 * @param hasRange one range of the bytes is requested, and `If-Range`, if any, matches their current state
 */
export function mayRedirect(headers: Headers, hasRange: boolean): boolean {
  return !isEmbedded(headers) && !hasOwnConditions(headers, hasRange);
}

/**
 * Reports whether a page embeds or reads the response. The policy of the page might not allow S3, the bucket might not
 * allow the page (CORS), and players request further ranges of the URL after it has expired. Programs send no
 * `Sec-Fetch-Dest` (https://www.w3.org/TR/fetch-metadata/).
 */
function isEmbedded(headers: Headers): boolean {
  const destination = headers.get('Sec-Fetch-Dest');
  if (destination === null) return headers.has('Origin');
  return (
    destination !== 'document' && !(destination === 'empty' && headers.get('Sec-Fetch-Mode') === 'navigate')
  );
}

/** Reports whether the request has conditions that refer to validators of this server, which S3 does not have. */
function hasOwnConditions(headers: Headers, hasRange: boolean): boolean {
  return (
    headers.has('If-Match') ||
    headers.has('If-Unmodified-Since') ||
    // The date of an object does not change when an earlier version of a file is restored.
    (headers.has('If-Modified-Since') && !headers.has('If-None-Match')) ||
    (hasRange && headers.has('If-Range'))
  );
}
