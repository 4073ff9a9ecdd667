/** Returns status and code of a rejection. */
export async function refusal(answer: Response | Promise<Response>) {
  const response = await answer;
  return [response.status, ((await response.json()) as { code: string }).code];
}
