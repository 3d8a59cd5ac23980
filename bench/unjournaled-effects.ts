import type { EffectScope } from '../shared/core/engine/effect-scope.ts'

/** Performs each effect of model calls at once, and records nothing. */
export const unjournaledEffects = {
  random: () => () => 0.5,
  effect: async (
    _key: string,
    _request: unknown,
    perform: (signal: AbortSignal) => Promise<{ result: unknown }>,
  ) => (await perform(new AbortController().signal)).result,
} as unknown as EffectScope
