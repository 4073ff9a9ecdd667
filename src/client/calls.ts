import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type {
  HttpMethod,
  MediaType,
  OperationRequestBodyContent,
  PathsWithMethod,
  RequiredKeysOf,
} from 'openapi-typescript-helpers';
import type { paths } from './schema.d.ts';

type Init<Path extends keyof paths, Method extends HttpMethod> = MaybeOptionalInit<
  paths[Path],
  Method & keyof paths[Path]
>;
type Arguments<Options> = RequiredKeysOf<Options> extends never ? [options?: Options] : [options: Options];
type Answer<Operation, Options> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, Options, MediaType>['data']>
    : never;

/** The parsed response of an endpoint: `AnswerOf<'/api/me', 'get'>`. */
export type AnswerOf<Path extends PathsWithMethod<paths, Method>, Method extends HttpMethod> = Answer<
  paths[Path][Method & keyof paths[Path]],
  unknown
>;

/** The JSON body of a request to an endpoint: `BodyOf<'/api/storage/folders', 'post'>`. */
export type BodyOf<Path extends PathsWithMethod<paths, Method>, Method extends HttpMethod> = NonNullable<
  OperationRequestBodyContent<paths[Path][Method & keyof paths[Path]]>
>;

/** Calls the endpoints with this method. Returns the parsed response. @throws PosthouseError */
export type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Options extends Init<Path, Method>,
>(
  path: Path,
  ...options: Arguments<Options>
) => Promise<Answer<paths[Path][Method & keyof paths[Path]], Options>>;

/** A page of a list, with the address of the next page. */
export interface Page<Item> {
  items: Item[];
  /** Path and query of the next page; null = the last page. */
  next: string | null;
}

type ItemOf<List> = List extends (infer Item)[] ? Item : never;

/** Like `Call<'get'>` for a list, with the address of the next page. */
export type ListCall = <Path extends PathsWithMethod<paths, 'get'>, Options extends Init<Path, 'get'>>(
  path: Path,
  ...options: Arguments<Options>
) => Promise<Page<ItemOf<Answer<paths[Path]['get' & keyof paths[Path]], Options>>>>;
