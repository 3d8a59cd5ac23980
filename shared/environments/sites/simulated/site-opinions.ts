import { type SiteView, spacedName } from './site-view.ts'

export interface Opinion {
  readonly author: string
  readonly stars: number
  readonly text: string
}

export function readOpinions(view: SiteView): Opinion[] {
  return view.page.form === 'set_of_marks' ? readMarked(view) : [...readArticles(view), ...readComments(view)]
}

function readArticles({ main }: SiteView): Opinion[] {
  return main.flatMap((article, at) => {
    if (article.role !== 'article') return []
    const end = main.findIndex((element, index) => index > at && element.depth <= article.depth)
    const texts = main
      .slice(at + 1, end < 0 ? undefined : end)
      .flatMap((element) => (['StaticText', 'heading'].includes(element.role) ? [spacedName(element)] : []))
    const by = texts.findIndex((text) => /^by\b/.test(text))
    const [, inLine] = /^by (.+), \d+ \w+ \d{4}$/.exec(texts[by] ?? '') ?? []
    const author = inLine ?? texts[by + 1] ?? ''
    const stars = starsIn(texts.join(' '))
    const said = texts.filter(
      (text, index) => index !== by && !/^, \d+ \w+ \d{4}$/.test(text) && text !== author,
    )
    return by < 0 ? [] : [{ author, stars, text: said.join(' ') }]
  })
}

const voteFor = /^Upvote the comment by (.+)$/

function readComments({ main }: SiteView): Opinion[] {
  const starts = main.flatMap(({ role, name }, at) => (role === 'button' && voteFor.test(name) ? [at] : []))
  return starts.map((start, index) => {
    const behind = main.slice(start, starts[index + 1])
    const end = behind.findIndex(({ role }) => role === 'heading')
    const texts = behind.slice(0, end < 0 ? undefined : end).filter(({ role }) => role === 'StaticText')
    const [, author = ''] = voteFor.exec(behind[0]?.name ?? '') ?? []
    return { author, stars: 0, text: texts.map(spacedName).join(' ') }
  })
}

function readMarked({ texts }: SiteView): Opinion[] {
  return texts.flatMap((text) => {
    const [, title = '', stars = '', author, said] =
      /^(.+?) ([★☆]{5}) by ([^,]+), \d+ \w+ \d{4} (.+)$/.exec(text) ?? []
    return author === undefined ? [] : [{ author, stars: starsIn(stars), text: `${title} ${said}` }]
  })
}

function starsIn(text: string): number {
  return text.match(/★/g)?.length ?? 0
}

export function opinionLike(opinions: readonly Opinion[], paraphrase: string): Opinion | null {
  const wanted = stemsOf(paraphrase)
  const shared = (opinion: Opinion) => {
    const own = stemsOf(opinion.text)
    return [...wanted].filter((stem) => own.has(stem)).length
  }
  const [best] = opinions.toSorted((one, other) => shared(other) - shared(one))
  return best === undefined || shared(best) === 0 ? null : best
}

const longestStem = 5
const emptyWords = new Set([
  'that',
  'this',
  'with',
  'have',
  'from',
  'the',
  'and',
  'can',
  'was',
  'for',
  'are',
  'be',
])

function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  return new Set(words.filter((word) => !emptyWords.has(word)).map((word) => word.slice(0, longestStem)))
}
