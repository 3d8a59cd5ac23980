import type { EnvironmentGuide } from '../environment.ts'
import { verbTool } from '../tools/action-tool.ts'

const instruction =
  'i need fragrance free hand soap for dry hands in size 12 fl oz, and price lower than 20.00 dollars'
const item = `Instruction: [SEP] ${instruction} [SEP] Back to Search [SEP] < Prev [SEP] scent [SEP] unscented [SEP] rosemary [SEP] size [SEP] 8 fl oz [SEP] 12 fl oz [SEP] Harbour Lane Gentle Hand Soap, Fragrance Free, for Dry Hands [SEP] Price: $13.5 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now`

export const webshopGuide: EnvironmentGuide = {
  tools: [
    verbTool('search[{keywords}]', 'Searches the catalogue with words of your own choice.'),
    verbTool('click[{text}]', 'Presses a button, follows a link or chooses an option, as the page shows it.'),
  ],
  rules: `You shop in a web shop. You are shown a page of it and an instruction; your job is to find a product that fits the instruction, choose its options, and buy it.

A page is shown as its texts, with " [SEP] " between them. You can do one thing at a time:
- "search[keywords]" searches the catalogue with words of your own choice and shows the first ten hits, each with its number, title and price.
- "click[text]" presses a button, follows a link or chooses an option of the page you are on. Write the text as the page shows it: "click[Next >]", "click[< Prev]" and "click[Back to Search]" move between pages; a product's number, such as "click[B000000001]", opens its page; there, the value of an option, such as "click[large]", chooses it, "click[Description]", "click[Features]" and "click[Reviews]" show more, and "click[Buy Now]" buys the product with the options chosen so far.

What can be clicked is only what the page shows. The page does not show which options you have chosen, so remember them; leaving a product for the results forgets them. Anything else shows the page again and costs a step.

You can buy once, and that ends the task. You earn the share of what was asked for that your purchase has: its qualities, its options, its price within the limit, and the right kind of product. Without a purchase you earn nothing.`,
  example: {
    observation: `WebShop [SEP] Instruction: [SEP] ${instruction} [SEP] Search`,
    turns: [
      {
        thought: 'I search for the kind of product and the qualities that matter.',
        action: 'search[fragrance free hand soap dry hands]',
        observation: `Instruction: [SEP] ${instruction} [SEP] Back to Search [SEP] Page 1 (Total results: 3) [SEP] B0EXAMPLE1 [SEP] Soapworks Foaming Hand Soap, Mint, for Kitchens [SEP] $6.25 [SEP] B0EXAMPLE2 [SEP] Harbour Lane Gentle Hand Soap, Fragrance Free, for Dry Hands [SEP] $13.5 [SEP] B0EXAMPLE3 [SEP] Tidewell Hand Cream, Fragrance Free [SEP] $24.0`,
      },
      {
        thought:
          'B0EXAMPLE2 is a fragrance free hand soap for dry hands, and 13.50 dollars is below the limit.',
        action: 'click[B0EXAMPLE2]',
        observation: item,
      },
      {
        thought: 'The instruction asks for the size 12 fl oz, which is offered.',
        action: 'click[12 fl oz]',
        observation: item,
      },
      {
        thought: 'No other option was asked for, so I buy it.',
        action: 'click[Buy Now]',
        observation: 'Thank you for shopping with us!',
      },
    ],
  },
  program: String.raw`const limit = 20
const words = ["fragrance free", "hand soap", "dry hands"]

/** The number of the hit that fits best and costs no more than the limit. */
function bestHit(page) {
  const pieces = page.split(" [SEP] ")
  let best = null
  for (let at = 0; at + 2 < pieces.length; at += 1) {
    if (!/^B[0-9A-Z]{9}$/.test(pieces[at])) continue
    const title = pieces[at + 1].toLowerCase()
    const price = Number(/\$([\d.]+)/.exec(pieces[at + 2])[1])
    const score = words.filter((word) => title.includes(word)).length
    if (price <= limit && (best === null || score > best.score)) best = { number: pieces[at], score }
  }
  if (best === null) throw new Error("No hit is within the limit.")
  return best.number
}

const results = act("search[fragrance free hand soap dry hands]")
const item = act("click[" + bestHit(results) + "]")
if (item.includes("[SEP] 12 fl oz [SEP]")) act("click[12 fl oz]")
act("click[Buy Now]")`,
}
