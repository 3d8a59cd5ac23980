import type { TypedName } from './typed-names.ts'

export interface Atom {
  readonly predicate: string
  readonly terms: readonly string[]
}

export interface LiteralFormula extends Atom {
  readonly kind: 'literal'
  readonly negated: boolean
}

export type Formula =
  | LiteralFormula
  | { readonly kind: 'equal'; readonly negated: boolean; readonly left: string; readonly right: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly kind: 'exists' | 'forall'; readonly variables: readonly TypedName[]; readonly part: Formula }

/**
 * An action's effect. Conditions are evaluated in the state before the action. A fact both deleted and added is
 * added.
 */
export type Effect =
  | (Atom & { readonly kind: 'add' | 'delete' })
  | { readonly kind: 'when'; readonly condition: Formula; readonly effects: readonly Effect[] }
  | { readonly kind: 'forall'; readonly variables: readonly TypedName[]; readonly effects: readonly Effect[] }

export function isVariable(term: string): boolean {
  return term.startsWith('?')
}

export function atomText(name: string, terms: readonly string[]): string {
  return terms.length === 0 ? `(${name})` : `(${name} ${terms.join(' ')})`
}

export function formulaText(formula: Formula): string {
  switch (formula.kind) {
    case 'literal':
      return negatedText(formula.negated, atomText(formula.predicate, formula.terms))
    case 'equal':
      return negatedText(formula.negated, `(= ${formula.left} ${formula.right})`)
    case 'and':
    case 'or':
      return `(${[formula.kind, ...formula.parts.map(formulaText)].join(' ')})`
    case 'exists':
    case 'forall': {
      const variables = formula.variables.map(({ name, types }) => `${name} - ${types.join('/')}`)
      return `(${formula.kind} (${variables.join(' ')}) ${formulaText(formula.part)})`
    }
  }
}

function negatedText(negated: boolean, text: string): string {
  return negated ? `(not ${text})` : text
}
