import { EspalierError } from '../../core/contracts/errors.ts'
import type { QuestionRole } from '../../core/contracts/model-question.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { digest } from '../../core/engine/digest.ts'
import { readVerdict } from '../../environments/browser/evaluation/score.ts'
import type { StoredQuestions } from '../../environments/session-source.ts'
import { withoutReasoning } from '../answers/reasoning.ts'
import type { ModelCalls } from './model-calls.ts'
import type { StateResult } from './node-states.ts'

type Asked = StoredQuestions['verdicts'][number][number] | StoredQuestions['captions'][number]

export type AskModel = (key: string, question: Asked) => Promise<string | null>

/** Maximum length of a caption, in characters: longer ones say more than the name of a picture should. */
const longestCaption = 300

/** Asks the models of the roles in a run. The policy's model judges its own answers only if the run says so. */
export function askFor({ roles }: Pick<RunRequest, 'roles'>, calls: Pick<ModelCalls, 'ask'>): AskModel {
  const captions = new Map<string, Promise<string>>()

  async function ask(key: string, { role, text, pictures }: Asked): Promise<string> {
    const message = { role: 'user' as const, content: text, ...(pictures && { pictures }) }
    const [answer = ''] = await calls.ask({ key, role, messages: [message] })
    return answer
  }

  return async (key, question) => {
    if (roles[question.role] === undefined) return null
    if (!('placeholder' in question)) return ask(key, question)
    const { placeholder } = question
    const known = captions.get(placeholder) ?? ask(`caption/${digest(placeholder)}`, question)
    captions.set(placeholder, known)
    return known
  }
}

/**
 * Completes a session's result by asking models the questions it left open. Captions go into the observation. The
 * reward holds only if the judges agree. An unreadable answer, or a role missing from the run, is an error and never
 * a reward of 0.
 *
 * @param key names the step; each question has its own effect below it
 */
export async function answerQuestions(
  { questions, ...result }: StateResult,
  key: string,
  ask: AskModel = async () => null,
): Promise<StateResult> {
  if (questions === undefined) return result
  const { captions, verdicts } = questions
  const [texts, groups] = await Promise.all([
    Promise.all(captions.map((question, index) => ask(`${key}/caption/${index}`, question))),
    Promise.all(
      verdicts.map((group, index) =>
        Promise.all(
          group.map(async (question, place) =>
            readAnswer(question, await ask(`${key}/verdict/${index}/${place}`, question)),
          ),
        ),
      ),
    ),
  ])
  const observation = captions.reduce(
    (shown, { placeholder, template }, index) =>
      shown.replaceAll(placeholder, () => showCaption(template, texts[index] ?? null)),
    result.observation,
  )
  const holds = groups.every((group) => group.some(Boolean))
  return { ...result, observation, ...(!holds && { reward: 0, progress: 0 }) }
}

function readAnswer(question: StoredQuestions['verdicts'][number][number], answer: string | null): boolean {
  if (answer === null) throw unnamed(question.role)
  const said = withoutReasoning(answer)
  // If the judge never stopped reasoning, it gave no verdict, even if a verdict without the expected words counts as
  // a no.
  const isLost = said !== answer && said.trim() === ''
  const verdict = isLost ? 'unreadable' : readVerdict(question, said)
  if (verdict !== 'unreadable') return verdict === 'yes'
  throw new EspalierError(
    'endpoint_failed',
    `The ${question.role} was to answer ${question.accept.join(' or ')}, or ${question.refuse.join(' or ')}, and said "${clipText(answer, 120)}". Choose another model in roles.${question.role}, or allow it a longer answer, and retry the run.`,
    { param: `roles.${question.role}` },
  )
}

function showCaption(template: string, caption: string | null): string {
  if (caption === null) return ''
  const plain = withoutReasoning(caption)
    .replace(/['"[\]\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return template.replaceAll('{caption}', () => clipText(plain, longestCaption))
}

function unnamed(role: QuestionRole): EspalierError {
  return new EspalierError(
    'invalid_request',
    `The environment has to ask a model in the role "${role}", and the run names none. Start a run with roles.${role}.`,
    { param: `roles.${role}` },
  )
}
