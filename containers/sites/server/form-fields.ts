import { html, raw } from 'hono/html'
import type { Html } from './site.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly value?: string | number | undefined
  readonly problems?: Record<string, string> | undefined
  readonly isOptional?: boolean
}

interface TextField extends Field {
  readonly type?: 'text' | 'password' | 'number' | 'email' | 'search'
  readonly min?: number
  readonly max?: number
}

export function textField(field: TextField): Html {
  const { name, label, value = '', type = 'text', problems, isOptional = false, min, max } = field
  return html`<p class="field"><label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}"${attributes({ min, max, required: !isOptional })}>
    ${problemOf(problems, name)}</p>`
}

export function textArea({ name, label, value = '', problems, isOptional = false }: Field): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
    <textarea id="${name}" name="${name}" rows="5"${attributes({ required: !isOptional })}>${value}</textarea>
    ${problemOf(problems, name)}</p>`
}

export function choiceField(
  field: Field & { readonly choices: readonly (readonly [value: string, text: string])[] },
): Html {
  const { name, label, value = '', problems, choices } = field
  return html`<p class="field"><label for="${name}">${label}</label>
    <select id="${name}" name="${name}">${choices.map(
      ([choice, text]) =>
        html`<option value="${choice}"${attributes({ selected: choice === String(value) })}>${text}</option>`,
    )}</select>
    ${problemOf(problems, name)}</p>`
}

export function actionButton(
  action: string,
  text: string,
  {
    label,
    hidden = {},
    isPressed,
  }: { label?: string; hidden?: Record<string, string | number>; isPressed?: boolean } = {},
): Html {
  return html`<form method="post" action="${action}" class="inline">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button type="submit"${attributes({ 'aria-label': label, 'aria-pressed': isPressed?.toString() })}>${text}</button></form>`
}

function problemOf(problems: Record<string, string> | undefined, name: string): Html | string {
  const problem = problems?.[name]
  return problem === undefined ? '' : html`<span role="alert" class="problem">${problem}</span>`
}

function attributes(values: Record<string, string | number | boolean | undefined>): Html[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return [value === true ? raw(` ${name}`) : html` ${raw(name)}="${value}"`]
  })
}
