import { pythonText } from '../python-value.ts'
import { callHelper } from './call-helper.ts'
import { type AnswerRules, alternativesOf, EvaluationError } from './compare-answer.ts'
import type { EvaluatedPage, EvaluatedPicture } from './evaluated-page.ts'
import { imageSimilarity } from './image-similarity.ts'
import { askAboutPicture } from './judge-questions.ts'
import { matchAnswer, matchContents } from './match-text.ts'
import { unescaped } from './page-scripts.ts'
import { allOf, decided, leftToModel, noScore, type Score } from './score.ts'
import type { ContentCheck, PictureCheck, TaskEvaluation } from './task-evaluation.ts'

export interface EndedTask {
  benchmark: AnswerRules
  intent: string
  evaluation: TaskEvaluation
  answer: string
}

type UrlRule = 'EXACT' | 'GOLD in PRED'

const usualRule: Record<AnswerRules, UrlRule> = {
  visualwebarena: 'EXACT',
  exact: 'EXACT',
  webarena: 'GOLD in PRED',
}

/**
 * Scores an episode by all kinds of evaluation that its task names: the product of their scores. Compares the address
 * before it opens any other page.
 * @throws EvaluationError if the task's evaluation cannot be carried out; any error that the page throws
 */
export async function evaluateTask(task: EndedTask, page: EvaluatedPage): Promise<Score> {
  const { benchmark, evaluation, intent, answer } = task
  const { eval_types: types, reference_answers: references, reference_url: reference } = evaluation
  const { string_note: note, url_note: rule, program_html: contents, page_image_query: pictures } = evaluation
  const scores: Score[] = []
  if (types.includes('string_match')) {
    scores.push(matchAnswer(references ?? {}, answer, { benchmark, intent, note: note ?? '' }))
  }
  if (types.includes('url_match')) {
    const settings = { benchmark, ...(rule && { rule }) }
    scores.push(decided(matchesUrl(reference ?? '', page.url(), settings)))
  }
  if (types.includes('program_html')) {
    for (const check of contents) scores.push(await checkContent(check, page, benchmark))
  }
  if (types.includes('page_image_query')) {
    for (const check of pictures) scores.push(await checkPictures(check, page))
  }
  return allOf(scores)
}

/**
 * `url_match`: tests if the final page's address equals one of the references, ignoring a trailing slash. By `GOLD in
 * PRED`, the host and path of one reference must occur in the address. Each query field of the references must also
 * have one of their values in the address.
 */
export function matchesUrl(
  reference: string,
  address: string,
  { benchmark, rule = usualRule[benchmark] }: { benchmark: AnswerRules; rule?: UrlRule },
): boolean {
  const references = alternativesOf(reference).map((each) => cleanUrl(each, benchmark))
  const last = cleanUrl(address, benchmark)
  if (rule === 'EXACT') return references.includes(last)
  const wanted = references.map(splitUrl)
  const given = splitUrl(last)
  const fields = new Set(wanted.flatMap(({ query }) => [...query.keys()]))
  return (
    wanted.some(({ base }) => given.base.includes(base)) &&
    [...fields].every((field) =>
      wanted.some(({ query }) =>
        query.getAll(field).some((value) => given.query.getAll(field).includes(value)),
      ),
    )
  )
}

function cleanUrl(url: string, benchmark: AnswerRules): string {
  if (benchmark === 'webarena') return url.replace(/\/+$/, '')
  return url.replaceAll('localhost', '127.0.0.1').replace(/\/$/, '')
}

function splitUrl(url: string): { base: string; query: URLSearchParams } {
  const parts = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([^?#]*)(?:\?([^#]*))?/i.exec(url)
  if (parts === null) throw new EvaluationError(`${url} is no address`)
  const [, base = '', written = ''] = parts
  const query = new URLSearchParams([...new URLSearchParams(written)].filter(([, value]) => value !== ''))
  return { base, query }
}

async function checkContent(
  check: ContentCheck,
  page: EvaluatedPage,
  benchmark: AnswerRules,
): Promise<Score> {
  if (!(await goTo(check.url, page))) return noScore
  const found = await select(check, page)
  if (found === null) return noScore
  return matchContents(
    check.required_contents,
    benchmark === 'webarena' ? await unescapeText(found, page) : found,
    benchmark,
  )
}

/**
 * Opens the page of a check: `last` is the current page; `func:` is a helper that returns an address.
 * @returns false if there is no page: a helper that finds none, such as no order, returns an empty text
 */
async function goTo(url: string, page: EvaluatedPage): Promise<boolean> {
  if (url === 'last') return true
  const address = url.startsWith('func:') ? await callHelper(page, url.slice('func:'.length)) : url
  if (address === '') return false
  await page.open(address)
  return true
}

async function select({ locator, prep_actions }: ContentCheck, page: EvaluatedPage): Promise<string | null> {
  if (locator.trim() === '') return page.content()
  if (locator.startsWith('document.') || locator.startsWith('[...document.')) {
    // As in the benchmarks, stop after the first preparation that fails.
    for (const action of prep_actions) if ('error' in (await page.run(action))) break
    const answer = await page.run(locator)
    return 'value' in answer ? pythonText(answer.value) : ''
  }
  if (locator.startsWith('lambda:')) {
    const answer = await page.run(callOrValue(locator.slice('lambda:'.length)))
    return 'value' in answer && answer.value ? pythonText(answer.value) : null
  }
  if (locator.startsWith('func:')) return callHelper(page, locator.slice('func:'.length))
  throw new EvaluationError(`The locator "${locator}" is of no known kind: document…, lambda: or func:`)
}

function callOrValue(expression: string): string {
  return `((found) => typeof found === 'function' ? found() : found)(${expression})`
}

async function unescapeText(text: string, page: EvaluatedPage): Promise<string> {
  if (!text.includes('&')) return text
  const answer = await page.run(unescaped(text))
  if ('value' in answer) return String(answer.value)
  throw new EvaluationError(`The text of the page cannot be read: ${answer.error}`)
}

async function checkPictures(check: PictureCheck, page: EvaluatedPage): Promise<Score> {
  const { eval_vqa, eval_fuzzy_image_match: references, ssim_threshold: threshold } = check
  if (!(await goTo(check.eval_image_url, page))) return noScore
  const shown = await picturesIn(check.eval_image_class, page)
  if (shown.length === 0) return noScore
  const asked = eval_vqa.map(({ question, answer }) =>
    leftToModel(...shown.map(({ sent }) => askAboutPicture(sent, question, answer))),
  )
  if (references === undefined) return allOf(asked)
  const compared: EvaluatedPicture[] = []
  for (const address of alternativesOf(references)) compared.push(await page.picture(address))
  const isAlike = shown.some(({ pixels }) =>
    compared.some((reference) => imageSimilarity(reference.pixels, pixels) > threshold),
  )
  return allOf([decided(isAlike), ...asked])
}

async function picturesIn(selector: string, page: EvaluatedPage): Promise<EvaluatedPicture[]> {
  if (selector.trim() === '') return [await page.capture()]
  const addresses =
    await page.run(`[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((found) =>
    (found.tagName === 'IMG' ? [found] : [...found.querySelectorAll('img')]).map((image) => image.src)).filter(Boolean)`)
  if (!('value' in addresses)) {
    throw new EvaluationError(`"${selector}" is no selector: ${addresses.error}`)
  }
  const pictures: EvaluatedPicture[] = []
  for (const address of addresses.value as string[]) pictures.push(await page.picture(address))
  return pictures
}
