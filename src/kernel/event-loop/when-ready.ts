/**
 * Applies `next` to a value: immediately, or when its promise is fulfilled. Where most values are available
 * immediately, a promise for each would cost as much as the work.
 */
export function whenReady<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
