import type { ReactNode } from 'react'
import { Section } from '../section.tsx'
import styles from './form.module.css'
import { OptionList } from './option-list.tsx'

export function RecipeChoice<Recipe extends { id: string }>({
  recipes,
  chosen,
  nameOf,
  onChoose,
  error,
  children,
}: {
  recipes: readonly Recipe[]
  chosen: string
  nameOf: (recipe: Recipe) => string
  onChoose: (recipe: Recipe) => void
  error: string | undefined
  children: (recipe: Recipe) => ReactNode
}) {
  const find = (id: string) => recipes.find((each) => each.id === id)
  const recipe = find(chosen)
  return (
    <Section title="Recipe">
      <div className={styles.stack}>
        <OptionList
          legend="Recipe"
          options={recipes.map((each) => ({ id: each.id, text: nameOf(each), misfit: null }))}
          chosen={chosen}
          onChoose={(id) => {
            const next = find(id)
            if (next !== undefined) onChoose(next)
          }}
        />
        {error && <p className={styles.error}>{error}</p>}
        {recipe !== undefined && children(recipe)}
      </div>
    </Section>
  )
}
