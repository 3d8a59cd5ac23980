export type Later<Value> = Value | Promise<Value>

/**
 * Continues with a value: synchronously if it is available, so that the order of work without waits stays the same.
 */
export function whenThere<Value, Result>(
  value: Later<Value>,
  next: (value: Value) => Later<Result>,
): Later<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
