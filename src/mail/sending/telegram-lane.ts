/**
 * Returns the lane of the messages of a bot to a recipient, which keeps the order of their segments.
 * @param recipient without spaces
 */
export function telegramLane(bot: string, recipient: string): string {
  return `telegram ${bot} ${recipient}`;
}

/** Returns the recipient of a message, which its payload has too, but payloads are large. */
export function recipientOfLane(lane: string): string {
  return lane.slice(lane.lastIndexOf(' ') + 1);
}
