export interface AttemptCounts {
  episodes: number
  successes: number
}

/**
 * The unbiased chance that at least one of `k` episodes succeeds: 1 − C(n−c, k) / C(n, k) for `c` successes among `n`
 * episodes, of which `k` are drawn without replacement. Chen et al. 2021, "Evaluating Large Language Models Trained
 * on Code" (arXiv 2107.03374), equation 1, computed as the product of its figure 3, in which no number gets large.
 * @example
 * passAtK({ episodes: 5, successes: 2 }, 2) // 0.7
 */
export function passAtK({ episodes, successes }: AttemptCounts, k: number): number {
  checkDraw(episodes, k)
  if (episodes - successes < k) return 1
  let missed = 1
  for (let index = episodes - successes + 1; index <= episodes; index += 1) missed *= 1 - k / index
  return 1 - missed
}

/**
 * The unbiased chance that `k` episodes all succeed: C(c, k) / C(n, k). pass^k of Yao et al. 2024, "τ-bench: A
 * Benchmark for Tool-Agent-User Interaction in Real-World Domains" (arXiv 2406.12045), section 3. It measures an
 * agent's reliability, and pass@k its luck.
 */
export function passHatK({ episodes, successes }: AttemptCounts, k: number): number {
  checkDraw(episodes, k)
  let all = 1
  for (let index = 0; index < k && all > 0; index += 1) all *= (successes - index) / (episodes - index)
  return Math.max(0, all)
}

/** 1, 2, 4, 8 and so on, up to the number of times that every task was played, which is the last. */
export function drawsUpTo(episodes: number): number[] {
  const draws: number[] = []
  for (let k = 1; k < episodes; k *= 2) draws.push(k)
  return episodes > 0 ? [...draws, episodes] : []
}

function checkDraw(episodes: number, k: number): void {
  if (!Number.isInteger(k) || k < 1 || k > episodes) {
    throw new RangeError(`Of ${episodes} episodes, 1 to ${episodes} can be drawn, not ${k}.`)
  }
}
