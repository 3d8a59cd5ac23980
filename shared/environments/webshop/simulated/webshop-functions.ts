import type { ExpertFunction } from '../../simulated/expert.ts'

export const webshopFunctions: readonly ExpertFunction[] = [
  {
    name: 'searchAndOpen',
    parameters: ['keywords', 'limit'],
    code: String.raw`/**
 * Searches, looks at the hits whose titles fit best and cost no more than the limit, stays on the page of the one that has
 * most of the words, and returns that page.
 * @param keywords - the words that matter, with spaces between them
 * @param limit - the most that it may cost, in dollars, as in "50.00"
 */
function searchAndOpen(keywords, limit) {
  const words = keywords.toLowerCase().split(" ")
  const count = (text) => words.filter((word) => text.toLowerCase().includes(word)).length
  const pieces = act("search[" + keywords + "]").split(" [SEP] ")
  const hits = []
  for (let at = 0; at + 2 < pieces.length; at += 1) {
    const price = /\$([\d.]+)/.exec(pieces[at + 2])
    if (!/^B[0-9A-Z]{9}$/.test(pieces[at]) || price === null || Number(price[1]) > Number(limit)) continue
    hits.push({ number: pieces[at], score: count(pieces[at + 1]) })
  }
  if (hits.length === 0) throw new Error("No hit costs no more than " + limit)
  hits.sort((one, other) => other.score - one.score)
  let best = null
  for (const { number } of hits.slice(0, 3)) {
    const page = act("click[" + number + "]")
    const score = count(page.split("Back to Search")[1])
    if (score === words.length) return page
    if (best === null || score > best.score) best = { number, score }
    act("click[< Prev]")
  }
  return act("click[" + best.number + "]")
}`,
    blunders: [
      ['other.score - one.score', 'one.score - other.score'],
      ['    act("click[< Prev]")\n', ''],
    ],
  },
  {
    name: 'chooseAndBuy',
    parameters: ['options'],
    code: `/**
 * Chooses options of the product on the page and buys it.
 * @param options - the options as the page shows them, with semicolons between them, as in "navy blue; medium"; may be empty
 */
function chooseAndBuy(options) {
  for (const option of options.split("; ")) if (option !== "") act("click[" + option + "]")
  act("click[Buy Now]")
}`,
    blunders: [
      ['options.split("; ")', 'options.split(" ")'],
      ['act("click[Buy Now]")', 'act("click[buy]")'],
    ],
  },
]

/**
 * Finds the options that an instruction names. It is a constant, so that it does not count as a function for agents.
 */
export const namedOptions = `const namedOptions = (page, instruction) => {
  const pieces = page.split(" [SEP] ")
  const end = pieces.findIndex((piece) => piece.startsWith("Price: ")) - 1
  const values = pieces.slice(pieces.indexOf("< Prev") + 1, end)
  const text = " " + instruction.toLowerCase().replace(/[,.:]+( |$)/g, " ") + " "
  const named = values.filter((value) => text.includes(" " + value.toLowerCase() + " "))
  const headings = ["color", "size", "style", "scent", "flavor"]
  const isPart = (value) => named.some((other) => other.length > value.length && (" " + other + " ").includes(" " + value + " "))
  return named.filter((value) => !headings.includes(value) && !isPart(value)).join("; ")
}`
