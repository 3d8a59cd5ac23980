export function dollars(value: number): string {
  return value > 0 && value < 0.0005 ? `$${value.toFixed(5)}` : `$${value.toFixed(value < 0.1 ? 4 : 2)}`
}
