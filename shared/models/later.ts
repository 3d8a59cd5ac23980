/** A value that is there, or comes later. */
export type Later<Value> = Value | Promise<Value>

/** Goes on with a value: in the same turn if it is there, so that nothing changes places that need not wait. */
export function whenThere<Value, Result>(
  value: Later<Value>,
  next: (value: Value) => Later<Result>,
): Later<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
