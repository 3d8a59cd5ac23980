/** Billionths of a dollar, and tokens. */
export type Amount = {
  cost: number
  tokens: number
}

export const noAmount: Readonly<Amount> = { cost: 0, tokens: 0 }

export function plus(left: Amount, right: Amount): Amount {
  return { cost: left.cost + right.cost, tokens: left.tokens + right.tokens }
}

export function minus(left: Amount, right: Amount): Amount {
  return { cost: left.cost - right.cost, tokens: left.tokens - right.tokens }
}

export function times(amount: Amount, factor: number): Amount {
  return { cost: amount.cost * factor, tokens: amount.tokens * factor }
}
