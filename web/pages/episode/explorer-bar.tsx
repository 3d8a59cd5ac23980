import {
  ChevronDown,
  ChevronsDownUp,
  ChevronsUpDown,
  ChevronUp,
  Keyboard,
  Maximize,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import type { RefObject } from 'react'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { InlineField } from '../../components/inline-field.tsx'
import { DrawingButtons } from '../../drawings/drawing-buttons.tsx'
import { countOf } from '../../format/count-of.ts'
import type { Colour } from '../../tree/colouring.ts'
import styles from './tree-explorer.module.css'
import type { MapControls } from './tree-map.tsx'
import type { Explorer } from './use-explorer.ts'

export function ExplorerBar({
  explorer: { choice, change, colourings, scene, hits, goToHit, collapseRest },
  field,
  controls,
  onShowAll,
  onKeys,
}: {
  explorer: Explorer
  field: RefObject<HTMLInputElement | null>
  controls: RefObject<MapControls | null>
  onShowAll: () => void
  onKeys: () => void
}) {
  const total = scene.index.tree.nodes.length
  // The calls that name the models are read when they are chosen.
  const offered = new Set(['value', ...colourings.map(({ colour }) => colour), 'model', choice.colour])
  const hidden = total - scene.layout.nodes.length
  return (
    <div className={styles.explorerBar}>
      <SearchBox
        field={field}
        text={choice.find}
        hits={hits}
        chosen={scene.chosen}
        onText={(find) => change({ find })}
        onGo={goToHit}
      />
      <div className={styles.hiddenNodes}>
        {hidden > 0 ? (
          <>
            <span>
              {formatCount(hidden)} of {formatCount(total)} nodes hidden
            </span>
            <Button onClick={onShowAll}>
              <ChevronsUpDown size={16} aria-hidden /> Show all
            </Button>
          </>
        ) : (
          <span>{countOf(total, 'node')}</span>
        )}
        <IconButton label="Collapse all but the path to the answer" onClick={collapseRest}>
          <ChevronsDownUp size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.explorerTools}>
        {choice.view === 'map' && (
          <>
            {scene.flow === undefined && (
              <InlineField label="Colour">
                {(field) => (
                  <select
                    {...field}
                    value={choice.colour}
                    onChange={({ target }) => change({ colour: target.value as Colour })}
                  >
                    {[...offered].map((colour) => (
                      <option key={colour}>{colour}</option>
                    ))}
                  </select>
                )}
              </InlineField>
            )}
            <DrawingButtons
              title={`tree of ${scene.index.tree.task}`}
              draw={() => controls.current?.drawing() ?? null}
            />
            <IconButton label="Zoom out (−)" onClick={() => controls.current?.zoomBy(1 / 1.5)}>
              <ZoomOut size={18} aria-hidden />
            </IconButton>
            <IconButton label="Zoom in (+)" onClick={() => controls.current?.zoomBy(1.5)}>
              <ZoomIn size={18} aria-hidden />
            </IconButton>
            <IconButton label="Fit the whole tree (f)" onClick={() => controls.current?.fit()}>
              <Maximize size={18} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton label="Keys (?)" onClick={onKeys}>
          <Keyboard size={18} aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}

function SearchBox({
  field,
  text,
  hits,
  chosen,
  onText,
  onGo,
}: {
  field: RefObject<HTMLInputElement | null>
  text: string
  hits: readonly number[]
  chosen: number | null
  onText: (text: string) => void
  onGo: (direction: 1 | -1) => void
}) {
  const at = chosen === null ? -1 : hits.indexOf(chosen)
  const found = hits.length === 0 ? 'none' : at < 0 ? `${hits.length}` : `${at + 1} of ${hits.length}`
  return (
    <search className={styles.searchBox}>
      <input
        ref={field}
        type="search"
        aria-label="Find in actions, answers and observations"
        placeholder="Find in the tree"
        value={text}
        className={styles.searchField}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onGo(event.shiftKey ? -1 : 1)
        }}
      />
      <span className={styles.searchFound} aria-live="polite">
        {text.trim() !== '' && found}
      </span>
      <IconButton label="Previous match" onClick={() => onGo(-1)} isDisabled={hits.length === 0}>
        <ChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label="Next match" onClick={() => onGo(1)} isDisabled={hits.length === 0}>
        <ChevronDown size={16} aria-hidden />
      </IconButton>
    </search>
  )
}
