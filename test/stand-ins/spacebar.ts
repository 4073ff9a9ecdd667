import { RESTJSONErrorCodes } from 'discord-api-types/v10';

interface Body {
  code?: number;
  message?: string;
  roles?: unknown;
}

const LACKS: readonly (number | undefined)[] = [
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
];

/**
 * Rewrites a response of Discord like one of spacebarchat/server: guilds without their roles, 400 with a code for
 * missing permissions, 401 for the guilds of others, and the HTTP status as the code when something is not found.
 */
export async function asSpacebar(path: string, answer: Response): Promise<Response> {
  const { headers } = answer;
  const { roles, ...body } = (await answer.clone().json()) as Body;
  const isGuild = /^\/guilds\/\d+$/.test(path);
  if (answer.ok) return isGuild ? Response.json(body, { headers }) : answer;
  if (isGuild && LACKS.includes(body.code)) {
    const message = 'You are not a member of the guild you are trying to access';
    return Response.json({ code: 401, message }, { status: 401, headers });
  }
  if (LACKS.includes(body.code)) {
    const permission = body.code === RESTJSONErrorCodes.MissingAccess ? 'VIEW_CHANNEL' : 'SEND_MESSAGES';
    const message = `You lack permissions to perform that action (${permission})`;
    return Response.json({ code: RESTJSONErrorCodes.MissingPermissions, message }, { status: 400, headers });
  }
  if (answer.status === 404)
    return Response.json({ code: 404, message: 'Channel could not be found' }, { status: 404, headers });
  return answer;
}
