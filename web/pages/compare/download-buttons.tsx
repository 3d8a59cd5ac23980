import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { messageOf } from '../../components/error-state.tsx'
import { api } from '../../service/api.ts'
import { saveText } from '../../service/save-text.ts'
import type { CompareChoice } from './compare-choice.ts'

const types = { csv: 'text/csv', md: 'text/markdown' }

export function DownloadButtons({
  choice: { runs, interval },
  isReady,
}: {
  choice: CompareChoice
  isReady: boolean
}) {
  return (
    <SaveButtons
      name="comparison"
      isReady={isReady}
      load={(format) => api.compareAs(format, runs, { interval })}
    />
  )
}

export function SaveButtons({
  name,
  isReady,
  load,
}: {
  name: string
  isReady: boolean
  load: (format: 'csv' | 'md') => Promise<string>
}) {
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'md') =>
      saveText(`${name}.${format}`, await load(format), types[format]),
  })
  return (
    <>
      {save.error !== null && <span role="alert">Not saved: {messageOf(save.error)}</span>}
      {(['csv', 'md'] as const).map((format) => (
        <Button
          key={format}
          disabled={!isReady || save.isPending}
          aria-label={`Save the ${name} as ${format === 'csv' ? 'CSV' : 'Markdown'}`}
          onClick={() => save.mutate(format)}
        >
          <Download size={15} aria-hidden /> {format === 'csv' ? 'CSV' : 'Markdown'}
        </Button>
      ))}
    </>
  )
}
