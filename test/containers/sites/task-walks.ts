import { type SiteTask, valuesOf } from './site-tasks.ts'
import type { SiteVisitor } from './site-visitor.ts'
import { only, shownIn, taskAnswers } from './task-answers.ts'

type Values = Record<string, string>
type Walk = (visitor: SiteVisitor, values: Values) => Promise<unknown>

/** Searches for a name and opens what has just that name. */
async function find(visitor: SiteVisitor, site: string, name: string): Promise<void> {
  await visitor.open(`__${site}__/search?q=${encodeURIComponent(name)}`)
  await visitor.follow(name)
}

const product = (visitor: SiteVisitor, name: string) => find(visitor, 'SHOPPING', name)
const post = (visitor: SiteVisitor, title: string) => find(visitor, 'REDDIT', title)
const ad = (visitor: SiteVisitor, title: string) => find(visitor, 'CLASSIFIEDS', title)

async function order(visitor: SiteVisitor, name: string, quantity: string, address: Record<string, string>) {
  await product(visitor, name)
  await visitor.press('Add to cart', { Quantity: quantity })
  await visitor.follow('Go to checkout')
  await visitor.press('Place the order', address)
}

/** A thing and its colour in the words of a task, `a red bicycle`, as pictures are named. */
const pictured = (what: string): string => what.split(' ').slice(1).toReversed().join(' ')

const writePost = async (visitor: SiteVisitor, fields: Record<string, string>) => {
  await visitor.open('__REDDIT__/submit')
  await visitor.press('Publish the post', fields)
}

/** How each task that changes something, or ends on a page, is done by hand, by the template of the task. */
export const taskWalks: Readonly<Record<string, Walk>> = {
  'Show me the products of the category {{category}} from {{least}} to {{most}} dollars, cheapest first.':
    async (visitor, { category = '', least = '', most = '' }) => {
      await visitor.follow(category)
      await visitor.press('Apply', {
        'Price from ($)': least,
        'Price to ($)': most,
        'Sort by': 'Price, lowest first',
      })
    },
  'Put {{quantity}} of the {{product}} into my cart.': async (visitor, values) => {
    await product(visitor, values.product ?? '')
    await visitor.press('Add to cart', { Quantity: values.quantity ?? '' })
  },
  'Order {{quantity}} of the {{product}} with {{shipping}} shipping to the address of my account.': (
    visitor,
    values,
  ) =>
    order(visitor, values.product ?? '', values.quantity ?? '', {
      Shipping: values.shipping === 'express' ? 'Express: $12.90' : 'Standard: $4.90, free from $100',
    }),
  'Order a {{product}} as a present, with standard shipping to {{name}}, {{street}}, {{postcode}} {{city}}, with the note "{{note}}".':
    (visitor, values) =>
      order(visitor, values.product ?? '', '1', {
        Name: values.name ?? '',
        Street: values.street ?? '',
        Postcode: values.postcode ?? '',
        City: values.city ?? '',
        'Note to the shop': values.note ?? '',
      }),
  'Write a review of the {{product}} with {{stars}} stars, the title "{{title}}" and the text "{{text}}".':
    async (visitor, values) => {
      await product(visitor, values.product ?? '')
      await visitor.press('Publish the review', {
        'Your rating': `${values.stars} stars`,
        'Title of the review': values.title ?? '',
        Review: values.text ?? '',
      })
    },
  'Cancel the order that {{description}}.': async (visitor) => {
    await visitor.follow('Orders')
    await visitor.follow(
      String(only('shopping', `select number from purchase where status = 'processing'`).number),
    )
    await visitor.press('Cancel this order')
  },
  'Put the {{product}} on my wish list.': async (visitor, values) => {
    await product(visitor, values.product ?? '')
    await visitor.press('Add to wish list')
  },
  'Change the address of my account to {{street}}, {{postcode}} {{city}}.': async (
    visitor,
    { street = '', postcode = '', city = '' },
  ) => {
    await visitor.follow('Account')
    await visitor.press('Save', { Street: street, Postcode: postcode, City: city })
  },
  'Put the product whose picture shows {{what}} into my cart.': async (visitor, { what = '' }) => {
    const { name } = shownIn('shopping', 'product', pictured(what.replace(/^an /, 'a ')))
    await product(visitor, String(name))
    await visitor.press('Add to cart')
  },
  'Open the newest post of the forum {{forum}}.': async (visitor, { forum = '' }) => {
    await visitor.follow('Forums')
    await visitor.follow(forum)
    await visitor.press('Sort', { 'Sort by': 'Newest' })
    await visitor.open(visitor.document.querySelector('.rows h2 a')?.getAttribute('href') ?? '')
  },
  'Upvote the post "{{post}}".': async (visitor, { post: title = '' }) => {
    await post(visitor, title)
    await visitor.press(`Upvote ${title}`)
  },
  'Write the comment "{{comment}}" below the post "{{post}}".': async (
    visitor,
    { post: title = '', comment = '' },
  ) => {
    await post(visitor, title)
    await visitor.press('Publish the comment', { Comment: comment })
  },
  'Reply to the comment by {{person}} on the post "{{post}}" with "{{reply}}".': async (
    visitor,
    { person, post: title = '', reply = '' },
  ) => {
    await post(visitor, title)
    await visitor.follow(`Reply to ${person}`)
    await visitor.press('Publish the reply', { Reply: reply })
  },
  'Write a post in the forum {{forum}} with the title "{{title}}" and the text "{{text}}".': (
    visitor,
    { forum = '', title = '', text = '' },
  ) => writePost(visitor, { Forum: forum, Title: title, Text: text }),
  'Replace the text of my post "{{post}}" by "{{text}}".': async (
    visitor,
    { post: title = '', text = '' },
  ) => {
    await post(visitor, title)
    await visitor.follow('Edit')
    await visitor.press('Save', { Text: text })
  },
  'Delete my post "{{post}}".': async (visitor, { post: title = '' }) => {
    await post(visitor, title)
    await visitor.press('Delete this post')
  },
  'Subscribe to the forum {{forum}}.': async (visitor, { forum = '' }) => {
    await visitor.follow('Forums')
    await visitor.follow(forum)
    await visitor.press(`Subscribe to ${forum}`)
  },
  'Change my biography to "{{text}}".': async (visitor, { text = '' }) => {
    await visitor.follow('quietharbor')
    await visitor.follow('Edit biography')
    await visitor.press('Save', { Biography: text })
  },
  'Open the post whose picture shows {{what}}.': async (visitor, { what = '' }) => {
    const { title } = shownIn('reddit', 'post', pictured(what))
    await post(visitor, String(title))
  },
  'Write a post in the forum Photos with the title "{{title}}", and with the picture of the post "{{post}}".':
    async (visitor, { title = '', post: other = '' }) => {
      await post(visitor, other)
      const address = visitor.document.querySelector('#post img')?.getAttribute('src') ?? ''
      await writePost(visitor, {
        Forum: 'Photos',
        Title: title,
        'Address of a picture': new URL(address, visitor.url).href,
      })
    },
  'Open the cheapest ad of the category {{category}}.': async (visitor, { category = '' }) => {
    await visitor.follow(category)
    await visitor.press('Apply', { 'Sort by': 'Price, lowest first' })
    await visitor.open(visitor.document.querySelector('.grid h3 a')?.getAttribute('href') ?? '')
  },
  'Show the ads with the word "{{word}}" from {{city}} that cost at most {{most}} dollars.': async (
    visitor,
    { word = '', city = '', most = '' },
  ) => {
    await visitor.press('Search', { 'Search ads': word })
    await visitor.press('Apply', { City: city, 'Price to ($)': most })
  },
  'Leave a comment on the ad "{{ad}}" with the title "{{title}}" and the text "{{text}}".': async (
    visitor,
    { ad: name = '', title = '', text = '' },
  ) => {
    await ad(visitor, name)
    await visitor.press('Publish the comment', { Title: title, Comment: text })
  },
  'Write to the seller of the ad "{{ad}}": "{{text}}".': async (visitor, { ad: name = '', text = '' }) => {
    await ad(visitor, name)
    await visitor.press('Send the message', { Message: text })
  },
  'Publish an ad in the category {{category}} with the title "{{title}}", the description "{{text}}", for {{price}} dollars, in {{city}}.':
    async (visitor, { category = '', title = '', text = '', price = '', city = '' }) => {
      await visitor.follow('Publish an ad')
      await visitor.press('Publish the ad', {
        Category: category,
        Title: title,
        Description: text,
        'Price ($)': price,
        City: city,
      })
    },
  'Change the price of my ad "{{ad}}" to {{price}} dollars.': async (
    visitor,
    { ad: name = '', price = '' },
  ) => {
    await ad(visitor, name)
    await visitor.follow('Edit this ad')
    await visitor.press('Save', { 'Price ($)': price })
  },
  'Delete my ad "{{ad}}".': async (visitor, { ad: name = '' }) => {
    await visitor.follow('My ads')
    await visitor.follow(name)
    await visitor.press('Delete this ad')
  },
  'Watch the ad "{{ad}}".': async (visitor, { ad: name = '' }) => {
    await ad(visitor, name)
    await visitor.press('Watch this ad')
  },
  'Open the ad whose picture shows {{what}}.': async (visitor, { what = '' }) => {
    const { title } = shownIn('classifieds', 'listing', pictured(what))
    await ad(visitor, String(title))
  },
  'Change the telephone number of my account to {{number}}.': async (visitor, { number = '' }) => {
    await visitor.follow('Account')
    await visitor.press('Save', { Telephone: number })
  },
  'Look up what the {{product}} costs new at Larch Lane, and leave a comment with the title "New price" and that price as the text on the ad "{{ad}}".':
    async (visitor, { product: name = '', ad: title = '' }) => {
      await product(visitor, name)
      const price = visitor.document.querySelector('#price')?.textContent ?? ''
      await ad(visitor, title)
      await visitor.press('Publish the comment', { Title: 'New price', Comment: price })
    },
  'Write a post in the forum {{forum}} with the title "{{title}}", whose text is the description of the ad "{{ad}}".':
    async (visitor, { forum = '', title = '', ad: name = '' }) => {
      await ad(visitor, name)
      const description = visitor.document.querySelector('#description')?.textContent ?? ''
      await writePost(visitor, { Forum: forum, Title: title, Text: description })
    },
}

/** Those of tasks that show a picture, which is named by its file. */
const pictureWalks: Readonly<
  Record<string, (visitor: SiteVisitor, values: Values, file: string) => Promise<unknown>>
> = {
  'Open the page of the product that is shown in the picture.': (visitor, _values, file) =>
    product(visitor, String(only('shopping', 'select name from product where picture = ?', file).name)),
  'Find an ad for the same kind of thing in the same colour as in the picture, and write to its seller: "{{text}}".':
    async (visitor, { text = '' }, file) => {
      await ad(
        visitor,
        String(only('classifieds', 'select title from listing where picture = ?', file).title),
      )
      await visitor.press('Send the message', { Message: text })
    },
}

/**
 * Does a task from its start page: by the steps of a person, or by the answer that the data has.
 *
 * @returns the answer; empty where the task asks for none
 */
export async function solveTask(task: SiteTask, visitor: SiteVisitor): Promise<string> {
  const { intent_template: template, image } = task
  const values = valuesOf(task)
  await taskWalks[template]?.(visitor, values)
  await pictureWalks[template]?.(visitor, values, image?.split('/').at(-1) ?? '')
  return String(taskAnswers[template]?.(values) ?? '')
}
