import { formatNumber } from '../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../shared/core/client/status-words.ts'
import type { TranscriptHit, TranscriptHits } from '../shared/core/contracts/transcript-search.ts'
import { toLine, wrap } from './fit-text.ts'
import type { Terminal } from './terminal.ts'

export function formatHits(
  hits: TranscriptHits,
  linkOf: (hit: TranscriptHit) => string,
  terminal: Pick<Terminal, 'columns' | 'paint'>,
): string[] {
  const { cut_episodes, data, not_indexed, runs } = hits
  const notes = [
    ...(not_indexed > 0
      ? [`Ended episodes that are not indexed yet: ${not_indexed}. Search again to add them.`]
      : []),
    ...(cut_episodes > 0 ? [`Episodes that are too long to be indexed whole: ${cut_episodes}.`] : []),
  ].flatMap((note) => wrap(note, terminal.columns))
  if (data.length === 0) {
    const where = runs === 1 ? 'the run' : `the ${runs} runs`
    return [runs === 0 ? 'No run here is like that.' : `Nothing like that was found in ${where}.`, ...notes]
  }
  return [...data.flatMap((hit) => [...hitLines(hit, linkOf(hit), terminal), '']), ...notes]
}

function hitLines(
  hit: TranscriptHit,
  link: string,
  { columns, paint }: Pick<Terminal, 'columns' | 'paint'>,
): string[] {
  const {
    environment,
    episode,
    finish_reason,
    kind,
    method,
    node,
    outcome,
    reward,
    role,
    run,
    snippet,
    task,
  } = hit
  const ended = episodeStatusWord(outcome)
  const place = `${run} ${episode}${node === null ? '' : ` #${node}`}`
  const facts = [
    role === null || role === 'policy' ? kind : `${kind} of ${role}`,
    toLine(`${environment}/${task}`),
    method,
    reward === null ? ended : `${ended} ${formatNumber(reward)}`,
    ...(finish_reason === null || finish_reason === 'stop' ? [] : [toLine(finish_reason)]),
  ]
  // Mark matches before breaking lines and paint them after: escape sequences have no width.
  const marked = snippet
    .map(({ match, text }) => (match ? `${begin}${clean(text)}${end}` : clean(text)))
    .join('')
  const lines = wrap(marked.trim().replaceAll(/ {2,}/g, ' '), columns - 4)
  return [
    `${paint('bold', place)}  ${facts.join(' · ')}`,
    ...paintMatches(lines, paint).map((line) => `    ${line}`),
    `    ${paint('dim', link)}`,
  ]
}

/** Two private-use characters, removed from the shown text. */
const [begin, end] = ['\ue000', '\ue001']

function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\ue000\ue001]+/gu, ' ')
}

function paintMatches(lines: readonly string[], paint: Terminal['paint']): string[] {
  let isMatch = false
  return lines.map((line) =>
    line
      .split(/([\ue000\ue001])/)
      .map((part) => {
        if (part !== begin && part !== end)
          return isMatch && part !== '' ? paint(['bold', 'yellow'], part) : part
        isMatch = part === begin
        return ''
      })
      .join(''),
  )
}
