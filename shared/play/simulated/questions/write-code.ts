import { type ProgramLanguage, programFences } from '../../../core/contracts/program-language.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { ExpertFunction, Outlook } from '../../../environments/simulated/expert.ts'

const slips: readonly ((lines: readonly string[], random: Random) => string[])[] = [
  (lines, random) => lines.toSpliced(Math.floor(random() * lines.length), 1),
  (lines, random) => miscount(lines, random),
  (lines, random) => {
    const at = Math.floor(random() * lines.length)
    return lines.with(at, (lines[at] ?? '').replace(/\)[^)]*$/, ''))
  },
]

const blindPrograms: Readonly<Record<ProgramLanguage, string>> = {
  javascript: `function attempt(action) {
  try {
    return act(action)
  } catch (error) {
    return String(error)
  }
}

attempt("look around")
attempt("inventory")`,
  python: `def attempt(action):
    try:
        return act(action)
    except InvalidAction as error:
        return str(error)

attempt("look around")
attempt("inventory")`,
}

export interface Written {
  language: ProgramLanguage
  skill: number
}

export function writeExpertProgram(
  outlook: Outlook | null,
  defined: readonly string[],
  { language, skill }: Written,
  random: Random,
): string {
  if (outlook === null) return fenced(blindPrograms[language], language)
  const statements = outlook.statements()
  const used = outlook.functions.filter(({ name }) => statements.some((line) => line.includes(`${name}(`)))
  const missing = used.filter(({ name }) => !defined.includes(name))
  const whole = [...missing.map(({ code }) => code), statements.join('\n')].join('\n\n')
  const program = defined.length > 0 ? whole : (outlook.program?.() ?? whole)
  return fenced(random() < skill ? program : withSlip(program, random), language)
}

export function writeFunctions(
  outlook: Outlook | null,
  { language, skill }: Written,
  random: Random,
): string {
  if (outlook === null || outlook.functions.length === 0) return fenced(blindPrograms[language], language)
  const statements = outlook.statements().join('\n')
  const isRight = random() < skill
  const used = outlook.functions.filter(({ name }) => statements.includes(`${name}(`))
  const wrong = isRight ? undefined : choose(used.length > 0 ? used : outlook.functions, random)
  const code = outlook.functions.map((each) => (each === wrong ? withBlunder(each, random) : each.code))
  return fenced([...code, statements].join('\n\n'), language)
}

export function withBlunder({ code, blunders }: ExpertFunction, random: Random): string {
  const [right, wrong] = choose(blunders, random) ?? ['', '']
  return code.replace(right, () => wrong)
}

function withSlip(program: string, random: Random): string {
  const lines = program.split('\n')
  const start = lines.lastIndexOf('') + 1
  const slip = choose(slips, random) ?? ((kept: readonly string[]) => [...kept])
  return [...lines.slice(0, start), ...slip(lines.slice(start), random)].join('\n')
}

function miscount(lines: readonly string[], random: Random): string[] {
  const places = lines.flatMap((line, at) => [...line.matchAll(/\d+/g)].map(({ index }) => ({ at, index })))
  const place = choose(places, random)
  if (place === undefined) return lines.slice(0, -1)
  const line = lines[place.at] ?? ''
  const changed = line.slice(place.index).replace(/^\d+/, (number) => String(Number(number) + 1))
  return lines.with(place.at, line.slice(0, place.index) + changed)
}

export function fenced(code: string, language: ProgramLanguage): string {
  return `\`\`\`${programFences[language]}\n${code}\n\`\`\``
}
