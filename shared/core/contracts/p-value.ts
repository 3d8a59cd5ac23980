export function writePValue(value: number): string {
  return value < 0.001 ? value.toExponential(1) : value.toFixed(3)
}
