/**
 * The subset of JSON Schema 2020-12 in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0) that this server
 * generates.
 */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: JsonSchema;
  description?: string;
}

export type ContentByType = Record<string, { schema?: JsonSchema }>;

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: ContentByType };
  responses: Record<string, { $ref?: string; description: string; content?: ContentByType }>;
  /** Name of the endpoint's `auth`. */
  'x-access'?: string;
  /** Codes of the error responses, before they are expanded into `responses`. */
  'x-problems'?: string[];
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description: string }[];
  /** An extension of Redoc (`x-tagGroups`), which other tools show too. */
  'x-tagGroups'?: { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}
