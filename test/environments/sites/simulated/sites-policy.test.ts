import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'
import { gradeState } from '../../../../shared/play/simulated/questions/verdict.ts'
import { answerPrompt } from '../../../../shared/play/simulated/simulated-policy.ts'

const rules: Message = {
  role: 'system',
  content: 'You use web sites in a browser, and do what the objective says.',
}

/** A page of the shop as its host shows it; what is its own begins with element 8, in `main`. */
function page(objective: string, path: string, ...own: readonly string[]): Message {
  const lines = [
    "RootWebArea 'Larch Lane' focused: True",
    "\tlink 'Larch Lane'",
    "\tsearchbox 'Search products'",
    ...(path.includes('q=')
      ? [`\t\tStaticText '${decodeURIComponent(path.split('q=')[1] ?? '')}'`]
      : ["\tStaticText ''"]),
    "\tbutton 'Search'",
    "\tlink 'Orders'",
    "\tmain ''",
    ...own.map((line) => `\t\t${line}`),
    "\tcontentinfo ''",
  ]
  const numbered = lines.map((line, at) => line.replace(/\S/, (letter) => `[${at + 1}] ${letter}`))
  const content = `Objective: ${objective}\nURL: http://onestopmarket.com${path}\n\nTab 0 (current): Shop\n\n${numbered.join('\n')}`
  return { role: 'user', content }
}

const agent = (action: string): Message => ({
  role: 'assistant',
  content: `Thought: Next.\nAction: ${action}`,
})

function actionFor(messages: readonly Message[], skill = 1, seed = 0): string {
  return readAction(answerPrompt([rules, ...messages], { skill, seed: 0 }, { seed, choice: 0 })) ?? ''
}

const item = (name: string, price: string, picture = `Picture of ${name}`) => [
  `link '${picture}'`,
  `\timage '${picture}'`,
  `heading '${name}'`,
  `\tlink '${name}'`,
  `StaticText '${price}'`,
]
const review = (title: string, stars: string, author: string, text: string) => [
  "article ''",
  `\theading '${title}'`,
  `\tStaticText '${stars}'`,
  "\tStaticText ' by '",
  `\tStaticText '${author}'`,
  "\tStaticText ', 2 May 2025'",
  `\tStaticText '${text}'`,
]

describe('the policy for sites, without mistakes', () => {
  test('searches, reads the answer from what is found, and gives up what is not there', () => {
    const cost = 'What does the Red mug cost?'
    expect(actionFor([page(cost, '/', "heading 'Welcome'")])).toBe('type [3] [Red mug] [1]')
    const results = (objective: string, words: string, ...items: string[]) =>
      page(
        objective,
        `/search?q=${encodeURIComponent(words)}`,
        `heading 'Search results for "${words}"'`,
        ...items,
      )
    const other = item('Blue mug', '$9.00')
    expect(actionFor([results(cost, 'Red mug', ...other, ...item('Red mug', '$12.50'))])).toBe(
      'stop [$12.50]',
    )
    expect(actionFor([results(cost, 'Red mug', ...other)])).toBe('stop [N/A]')
    expect(actionFor([results('Buy a hammock.', 'hammock')])).toBe('stop [N/A]')
  })

  test('compares what a page lists, and what reviews say', () => {
    const least = 'Which is the cheapest product in the category Kitchen? Answer with its name.'
    const listed = [...item('Red mug', '$1,012.50'), ...item('Blue mug', '$90.00')]
    expect(actionFor([page(least, '/category/kitchen', "heading 'Kitchen'", ...listed)])).toBe(
      'stop [Blue mug]',
    )
    const said = [
      ...review('Fine', '★★★★★', 'Ann Lee', 'The handle stays cool.'),
      ...review('Bad', '★★☆☆☆', 'Bob Ray', 'Water runs out below the lid: it leaks.'),
    ]
    const who = 'Who complains in a review of the Kettle that the lid leaks?'
    expect(actionFor([page(who, '/product/kettle', "heading 'Kettle'", ...said)])).toBe('stop [Bob Ray]')
    const few = 'How many reviews give the Kettle 2 stars or fewer? Answer with the number.'
    expect(actionFor([page(few, '/product/kettle', "heading 'Kettle'", ...said)])).toBe('stop [1]')
  })

  test('reads descriptions of pictures where pages have them', () => {
    const colour = 'What colour is the Red mug in its picture?'
    const described = item('Red mug', '$12.50', 'description: A teal mug., url: http://127.0.0.1/a.png')
    expect(actionFor([page(colour, '/search?q=Red%20mug', "heading 'Search results'", ...described)])).toBe(
      'stop [teal]',
    )
  })

  const put = 'Put 3 of the Red mug into my cart.'
  const product = (quantity: string) =>
    page(
      put,
      '/product/red-mug',
      "heading 'Red mug'",
      `spinbutton 'Quantity' required: True valuemin: 1 valuemax: 9 valuetext: ${quantity}`,
      "button 'Add to cart'",
    )
  const cart = page(put, '/cart', "heading 'Your cart'", "link 'Red mug'")

  test('empties a field before it fills it, and stops once the page shows what was asked', () => {
    expect(actionFor([product('1')])).toBe('clear [9]')
    expect(actionFor([product('')])).toBe('type [9] [3] [0]')
    expect(actionFor([product('3')])).toBe('click [10]')
    expect(actionFor([product('3'), agent('click [10]'), cart])).toBe('stop []')
  })

  test('says how far a page is by the moves that are left', () => {
    const done = [product('3'), agent('click [10]'), cart]
    expect(gradeState([product('1'), agent('clear [9]'), product('')])).toBe('C')
    expect(gradeState([product('3'), agent('click [2]'), product('1')])).toBe('D')
    expect(gradeState(done)).toBe('B')
    expect(gradeState([...done, agent('stop []'), cart])).toBe('A')
    const refused = { ...cart, content: `There is no element [99].\n\n${cart.content}` }
    expect(gradeState([cart, agent('click [99]'), refused])).toBe('E')
  })
})

test('grades of answers are right as often as the skill says', () => {
  const asked = (answer: string): Message => ({
    role: 'user',
    content: `You grade an answer.\n\nQuestion: Which?\nReference answer: sky blue\nAnswer to grade: ${answer}\n\nConclude with one word or two: correct, incorrect, or partially correct.`,
  })
  const grade = (answer: string, skill: number, seed: number) =>
    answerPrompt([asked(answer)], { skill, seed: 0 }, { seed, choice: 0 })
  expect(grade('It is Sky Blue.', 1, 0)).toBe('correct')
  expect(grade('blue', 1, 0)).toBe('incorrect')
  const grades = Array.from({ length: 300 }, (_, seed) => grade('sky blue', 0.6, seed))
  const right = grades.filter((text) => text === 'correct').length
  expect(right).toBeGreaterThan(215)
  expect(right).toBeLessThan(265)
})
