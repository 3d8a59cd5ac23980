import { useId } from 'react'
import { InlineCode } from '../inline-code.tsx'
import styles from './choices.module.css'

interface Option<Id extends string> {
  id: Id
  text: string
  /** The reason it cannot be chosen; null if it can. */
  misfit: string | null
}

export function OptionList<Id extends string>({
  legend,
  options,
  chosen,
  onChoose,
}: {
  legend: string
  options: readonly Option<Id>[]
  chosen: string
  onChoose: (id: Id) => void
}) {
  const name = useId()
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(({ id, misfit, text }) => (
        <label key={id} className={styles.option} data-chosen={id === chosen} data-misfit={misfit !== null}>
          <input
            type="radio"
            name={name}
            value={id}
            checked={id === chosen}
            disabled={misfit !== null && id !== chosen}
            onChange={() => onChoose(id)}
          />
          <span className={styles.optionWords}>
            <span className={styles.optionId}>{id}</span>
            <span className={styles.optionText}>
              <InlineCode text={text} />
            </span>
            {misfit !== null && <span className={styles.optionMisfit}>{misfit}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
