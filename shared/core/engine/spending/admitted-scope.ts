import type { Json } from '../../contracts/json.ts'
import type { EffectScope } from '../effect-scope.ts'

export type Admit = (leaving: AbortSignal) => Promise<number>

/** The same scope, whose model calls wait until admitted. The wait is no working time of the episode. */
export function admittedScope(scope: EffectScope, admit: Admit): EffectScope {
  return {
    effect: (key, request, perform) =>
      scope.effect(key, request, async (signal, leaving) => {
        const waited = asksModel(request.settings) ? await admit(leaving) : 0
        const outcome = await perform(signal, leaving)
        return waited === 0 ? outcome : { ...outcome, waited: (outcome.waited ?? 0) + waited / 1000 }
      }),
    compute: (perform) => scope.compute(perform),
    tokensOf: (call, answer) => scope.tokensOf(call, answer),
    write: (entry) => scope.write(entry),
    beforeStep: () => scope.beforeStep(),
    random: (key) => scope.random(key),
    elapsed: () => scope.elapsed(),
  }
}

function asksModel(settings: Json): boolean {
  return typeof settings === 'object' && settings !== null && 'endpoint' in settings
}
