import type { World } from '../../shared/core/world/ports.ts'
import type { ScoresOf } from '../../shared/data/datasets/score-filter.ts'
import type { QuestionNeeds, Questions } from '../../shared/insight/inspection/open-questions.ts'
import type { JudgementNeeds, Judgements } from '../../shared/insight/judgements/open-judgements.ts'
import type { ScoringNeeds, Scorings } from '../../shared/insight/judgements/open-scorings.ts'

export function lateJudgements(needs: JudgementNeeds): Judgements {
  const open = async () =>
    (await import('../../shared/insight/judgements/open-judgements.ts')).openJudgements(needs)
  return {
    list: async (...given) => (await open()).list(...given),
    scores: async (...given) => (await open()).scores(...given),
    judge: async (...given) => (await open()).judge(...given),
    record: async (...given) => (await open()).record(...given),
    report: async (...given) => (await open()).report(...given),
    counter: async (...given) => (await open()).counter(...given),
    withdraw: async (...given) => (await open()).withdraw(...given),
  }
}

export function lateScorings(needs: ScoringNeeds): Scorings {
  return {
    async advance(...given) {
      const { openScorings } = await import('../../shared/insight/judgements/open-scorings.ts')
      return openScorings(needs).advance(...given)
    },
  }
}

export function lateQuestions(needs: QuestionNeeds): Questions {
  const open = async () =>
    (await import('../../shared/insight/inspection/open-questions.ts')).openQuestions(needs)
  return {
    estimate: async (...given) => (await open()).estimate(...given),
    ask: async (...given) => (await open()).ask(...given),
  }
}

export function scoresIn({ ledger }: Pick<World, 'ledger'>): ScoresOf {
  return async (run, filter) => {
    const { JudgementStore } = await import('../../shared/insight/judgements/judgement-store.ts')
    const { readBook } = await import('../../shared/insight/judgements/score-book.ts')
    return readBook(new JudgementStore(ledger), run, filter)
  }
}
