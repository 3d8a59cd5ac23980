import type { NodeDetail } from '../../../shared/core/contracts/node-detail.ts'
import { LongText } from '../../components/long-text.tsx'
import { PictureRow } from '../../components/picture.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { createStore, useStore } from '../../service/store.ts'
import styles from './node-panel.module.css'
import type { NodePlace } from './node-panel.tsx'
import { NodePictures } from './node-pictures.tsx'

const screenshot = 'Screenshot'

const chosenTab = createStore<string>(screenshot)

export function NodeObservation({
  detail: { observation, node },
  place,
}: {
  detail: Pick<NodeDetail, 'observation' | 'node'>
  place: NodePlace
}) {
  const kept = useStore(chosenTab)
  const { pictures, texts } = splitObservation(observation)
  if (pictures.length === 0) {
    return texts.map(({ id, text }) => <LongText key={id} label="Observation" text={text} />)
  }
  const tabs = [{ id: screenshot, name: screenshot }, ...texts]
  const chosen = tabs.some(({ id }) => id === kept) ? kept : screenshot
  const text = texts.find(({ id }) => id === chosen)
  return (
    <Tabs label="Observation" tabs={tabs} chosen={chosen} onChoose={(id) => chosenTab.set(id)}>
      {text !== undefined ? (
        <LongText label={text.name} text={text.text} />
      ) : (
        <div className={styles.picturePair}>
          {node.parent !== null && <NodePictures {...place} node={node.parent} caption="Before the action" />}
          <figure>
            {node.parent !== null && <figcaption className="soft">After the action</figcaption>}
            <PictureRow pictures={pictures} of={`node ${place.node}`} />
          </figure>
        </div>
      )}
    </Tabs>
  )
}

type Part = NodeDetail['observation'][number]
type Picture = Extract<Part, { type: 'blob' }>

interface ObservationTab {
  id: string
  name: string
  text: string
}

const element = /^\t*\[\d+\] </m
const accessible = /^\t*\[\d+\] \w+ ['"]|^tag\tname\ttext\t/m

function splitObservation(parts: readonly Part[]): { pictures: Picture[]; texts: ObservationTab[] } {
  const texts: ObservationTab[] = []
  for (const part of parts) {
    if (part.type !== 'text') continue
    const kind = nameOf(part.text)
    const before = texts.filter(({ id }) => id.startsWith(kind)).length
    const name = before === 0 ? kind : `${kind} ${before + 1}`
    texts.push({ id: name, name, text: part.text })
  }
  return { pictures: parts.filter((part) => part.type === 'blob'), texts }
}

function nameOf(text: string): string {
  if (element.test(text) || /^\s*<(?:!doctype|html|body)\b/i.test(text)) return 'DOM'
  return accessible.test(text) ? 'Accessibility tree' : 'Text'
}
