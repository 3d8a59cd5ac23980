import { annotatedDataset } from '../../../shared/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { LinkButton } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { compareAddress, libraryAddress, memoryAddress } from '../../format/addresses.ts'

/** Where one goes from a run. One that asks for a dataset can be neither compared nor learned from. */
export function RunLinks({ run }: { run: Run }) {
  const { id, library, memory } = run
  const isPlayed = annotatedDataset(run) === null
  return (
    <ButtonRow>
      {library !== null && <LinkButton to={libraryAddress(library)}>Library</LinkButton>}
      {memory !== null && <LinkButton to={memoryAddress(memory)}>Memory</LinkButton>}
      {isPlayed && (
        <>
          <LinkButton to={compareAddress([id])}>Compare with …</LinkButton>
          <LinkButton to={`/datasets/new?runs=${encodeURIComponent(id)}`}>Build a dataset</LinkButton>
          <LinkButton to={`/runs/new?from=${encodeURIComponent(id)}`}>New run from this</LinkButton>
        </>
      )}
    </ButtonRow>
  )
}
