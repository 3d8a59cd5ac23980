import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Message } from '../../shared/core/contracts/message.ts'
import type { TrainingRecipe } from '../../shared/core/contracts/training.ts'
import { trainingRecipes } from '../../shared/learn/trainings/recipes.ts'
import type { DatasetSet } from './build-folders.ts'
import {
  canonicalRows,
  chatml,
  conversations,
  dataFiles,
  type LearnedText,
  learnedBy,
} from './canonical-rows.ts'
import { runPython } from './run-python.ts'

/** What the local trainer collated, and two steps of training on it. */
interface Collated {
  /** Why nothing was collated. */
  refused?: string
  rows: (LearnedText & { label?: boolean })[]
  // Of KTO: answers to other prompts.
  others: LearnedText[]
  base_logps: number[]
  measured: { longest: number; learned_tokens: number; truncated: number; tokens: number }
  learned_tokens: number
  steps: Record<string, number>[]
}

interface Case {
  recipe: TrainingRecipe
  sets: readonly DatasetSet[]
  // The better and the worse side of each pair become rows of their own.
  judged?: true
  hyperparameters?: object
  lora?: object
  rows?: number
  /** At which part of the longest row they are cut. */
  cut?: number
}

const lora = { rank: 4, alpha: 8, dropout: 0, target_modules: 'all-linear', merge: true }
/** Large enough that two steps move a model visibly. */
const quick = { learning_rate: 0.01, max_steps: 2, precision: 'fp32', warmup: 0, schedule: 'constant' }
/** ETO's first iteration, and its later ones. */
const betas = { first: 0.1, later: 0.5 }

const cases = {
  sft: { recipe: 'sft', sets: ['sft'] },
  revision: { recipe: 'sft', sets: ['revision'] },
  exploration: { recipe: 'sft', sets: ['exploration'] },
  mixed: { recipe: 'sft', sets: ['sft', 'revision'] },
  cut: { recipe: 'sft', sets: ['sft'], cut: 0.8 },
  behind: { recipe: 'sft', sets: ['sft'], cut: 0.03 },
  preference: { recipe: 'dpo', sets: ['preference'], hyperparameters: { beta: betas.first }, rows: 4 },
  'step-preference': {
    recipe: 'dpo',
    sets: ['step-preference'],
    hyperparameters: { beta: betas.later },
    rows: 4,
  },
  adapter: { recipe: 'dpo', sets: ['preference'], hyperparameters: { beta: betas.later }, lora, rows: 4 },
  rpo: { recipe: 'rpo', sets: ['preference'], rows: 4 },
  kto: { recipe: 'kto', sets: ['unpaired'], rows: 6 },
  'judged paths': { recipe: 'kto', sets: ['preference'], judged: true, rows: 6 },
  'all of a side': {
    recipe: 'dpo',
    sets: ['preference'],
    hyperparameters: { beta: betas.first, loss_on: 'completion' },
    rows: 4,
  },
  'cut pairs': { recipe: 'dpo', sets: ['preference'], rows: 4, cut: 0.8 },
} satisfies Record<string, Case>

type CaseName = keyof typeof cases
const names = Object.keys(cases) as CaseName[]
let results: Collated[] = []
const of = (name: CaseName) => results[names.indexOf(name)] as Collated

beforeAll(async () => {
  const jobs = Object.values<Case>(cases).map(async (each) => {
    const settings = trainingRecipes.find(({ id }) => id === each.recipe)?.hyperparameters
    return {
      recipe: each.recipe,
      files: each.judged ? [[await writeJudged()]] : await filesOf(each.sets),
      hyperparameters: settings?.parse({ ...quick, ...each.hyperparameters }),
      lora: each.lora ?? null,
      rows: each.rows ?? 6,
      cut: each.cut ?? null,
    }
  })
  results = await runPython('batches_of_trainer.py', await Promise.all(jobs))
})

const filesOf = (sets: readonly DatasetSet[]) => Promise.all(sets.map((set) => dataFiles(set, 'trl')))

async function judgedRows() {
  const rows = await canonicalRows('preference')
  return rows.flatMap(({ prompt, chosen, rejected }) => [
    { prompt, completion: chosen, label: true },
    { prompt, completion: rejected, label: false },
  ])
}

async function writeJudged(): Promise<string> {
  const file = join(inject('folder'), 'judged.jsonl')
  await writeFile(file, (await judgedRows()).map((row) => JSON.stringify(row)).join('\n'))
  return file
}

async function learnedTextsOf(set: DatasetSet): Promise<LearnedText[]> {
  const rows = await conversations(set)
  return rows.map((row) => ({ text: chatml(row.messages), learned: learnedBy(row) }))
}

function expectAllIn(seen: readonly LearnedText[], known: readonly LearnedText[]): void {
  expect(seen).toHaveLength(6)
  for (const row of seen) expect(known).toContainEqual(row)
}

describe('batches of the local trainer, supervised', () => {
  test.each(['sft', 'revision', 'exploration'] as const)('have labels where %s has weights', async (name) => {
    expectAllIn(of(name).rows, await learnedTextsOf(name))
  })

  test('have them too where two kinds of rows are mixed', async () => {
    const [first, second] = [await learnedTextsOf('sft'), await learnedTextsOf('revision')]
    expectAllIn(of('mixed').rows, [...first, ...second])
    expect(of('mixed').rows.some((row) => first.some(({ text }) => text === row.text))).toBe(true)
    expect(of('mixed').rows.some((row) => second.some(({ text }) => text === row.text))).toBe(true)
  })

  test.each(['sft', 'revision', 'exploration', 'mixed', 'cut'] as const)(
    'have as many labels of %s as were measured before',
    (name) => expect(of(name).learned_tokens).toBe(of(name).measured.learned_tokens),
  )

  test('are cut where the report of rows counts them as truncated', () => {
    const whole = new Set(of('sft').rows.map(({ text }) => text))
    const cut = of('cut').rows.filter(({ text }) => !whole.has(text))
    expect(cut.length).toBeGreaterThan(0)
    expect(cut).toHaveLength(of('cut').measured.truncated)
    const isBeginning = ({ text }: LearnedText) => [...whole].some((full) => full.startsWith(text))
    expect(cut.every(isBeginning)).toBe(true)
  })
})

test('rows of which nothing is left to learn are refused', () => {
  expect(of('behind').refused).toMatch(
    /Every row is longer than \d+ tokens, and what is learned of it lies behind the cut/,
  )
})

const opening = '<|im_start|>assistant\n'
const pairs = ['preference', 'step-preference', 'adapter', 'rpo', 'all of a side'] as const

/** Every side of a set's pairs as a batch has it. */
async function sidesOf(
  set: DatasetSet,
  side: 'chosen' | 'rejected',
  toSide: typeof asSide,
): Promise<string[]> {
  const rows = await canonicalRows(set)
  const marked = toSide === asSide && hasObservations(rows.flatMap((row) => [row.chosen, row.rejected]))
  const made = marked ? asSide : asCompletion
  return rows.map((row) => JSON.stringify(made(row.prompt, row[side])))
}

// The turns of the model alone are learned.
function asSide(prompt: unknown, side: unknown): LearnedText {
  const answers = (side as Message[]).filter(({ role }) => role === 'assistant')
  return {
    text: chatml(prompt) + chatml(side),
    learned: answers.map(({ content }) => `${content}<|im_end|>`),
  }
}

// Everything behind the prompt is learned.
function asCompletion(prompt: unknown, side: unknown): LearnedText {
  return { text: chatml(prompt) + chatml(side), learned: [chatml(side).slice(opening.length)] }
}

function hasObservations(sides: unknown[]): boolean {
  return sides.some((side) => (side as Message[]).some(({ role }) => role !== 'assistant'))
}

describe('batches of the local trainer, of pairs', () => {
  test.each(pairs)('of %s have the better sides first, and learn nothing of the prompt', async (name) => {
    const [set] = cases[name].sets as [DatasetSet]
    const { rows } = of(name)
    const [better, worse] = [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)]
    expect(better.length).toBeGreaterThan(0)
    const toSide = name === 'all of a side' ? asCompletion : asSide
    const [chosen, rejected] = [await sidesOf(set, 'chosen', toSide), await sidesOf(set, 'rejected', toSide)]
    better.forEach((row, at) => {
      const places = chosen.flatMap((side, place) => (side === JSON.stringify(row) ? [place] : []))
      expect(places.map((place) => rejected[place])).toContain(JSON.stringify(worse[at]))
    })
    expect(of(name).learned_tokens).toBe(of(name).measured.learned_tokens)
  })

  test.each(pairs)('%s: the reference is the base, before and after a step', (name) => {
    const { steps, base_logps: base } = of(name)
    const [first, second] = steps
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const reference = mean(base.slice(0, base.length / 2))
    expect(first?.['logps/chosen']).toBeCloseTo(reference, 2)
    expect(first?.['rewards/chosen']).toBeCloseTo(0, 4)
    expect(first?.['rewards/rejected']).toBeCloseTo(0, 4)
    const moved = (second?.['logps/chosen'] ?? reference) - reference
    expect(Math.abs(moved)).toBeGreaterThan(1)
    const beta = ['preference', 'rpo', 'all of a side'].includes(name) ? betas.first : betas.later
    expect((second?.['rewards/chosen'] ?? 0) / (beta * moved)).toBeCloseTo(1, 2)
  })

  test('learn observations only if all of a side is asked for', async () => {
    expect(hasObservations((await canonicalRows('preference')).map(({ chosen }) => chosen))).toBe(true)
    expect(of('preference').rows.some(({ learned }) => learned.length > 1)).toBe(true)
    expect(
      of('preference')
        .rows.flatMap(({ learned }) => learned)
        .join(),
    ).not.toContain('<|im_start|>user')
    expect(
      of('all of a side')
        .rows.flatMap(({ learned }) => learned)
        .join(),
    ).toContain('<|im_start|>user')
  })

  test('are cut at their end, and counted', () => {
    const { rows, measured, learned_tokens } = of('cut pairs')
    expect(measured.truncated).toBeGreaterThan(0)
    expect(learned_tokens).toBe(measured.learned_tokens)
    const whole = of('preference').rows.map(({ text }) => text)
    const cut = rows.filter(({ text }) => !whole.includes(text))
    expect(cut.length).toBeGreaterThanOrEqual(measured.truncated)
    expect(cut.every(({ text }) => whole.some((full) => full.startsWith(text)))).toBe(true)
  })

  test.each(['preference', 'step-preference', 'adapter', 'all of a side'] as const)(
    '%s begins at the loss ln 2',
    (name) => expect(of(name).steps[0]?.loss).toBeCloseTo(Math.LN2, 3),
  )

  test('rpo adds the likelihood of the better side to that', () => {
    expect(of('rpo').steps[0]?.loss).toBeGreaterThan(2 * Math.LN2)
  })
})

describe('batches of the local trainer, of judged rows', () => {
  test('have the completion and the label of single answers', async () => {
    const rows = await canonicalRows('unpaired')
    expect(hasObservations(rows.map(({ completion }) => completion))).toBe(false)
    const known = rows.map(({ prompt, completion, label }) => ({
      ...asCompletion(prompt, completion),
      label,
    }))
    const seen = of('kto').rows
    expect(seen.length).toBeGreaterThan(0)
    for (const row of seen) expect(known).toContainEqual(row)
    expect(of('kto').learned_tokens).toBe(of('kto').measured.learned_tokens)
    expect(of('kto').steps[0]?.['rewards/chosen'] ?? 0).toBeCloseTo(0, 4)
  })

  test('learn the turns of the model alone where there are observations, of other answers too', async () => {
    const rows = await judgedRows()
    const known = rows.map(({ prompt, completion, label }) => ({ ...asSide(prompt, completion), label }))
    const { rows: seen, others, learned_tokens, measured } = of('judged paths')
    expect(seen.some(({ learned }) => learned.length > 1)).toBe(true)
    for (const row of seen) expect(known).toContainEqual(row)
    expect(learned_tokens).toBe(measured.learned_tokens)
    const moved = [seen.at(-1), ...seen.slice(0, -1)]
    expect(others.map(({ learned }) => learned)).toEqual(moved.map((row) => row?.learned))
  })
})
