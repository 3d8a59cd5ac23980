import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SignedFile } from '../../../shared/core/client/build-calls.ts'
import { formatBytes, formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Column } from '../../components/column.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { api } from '../../service/api.ts'
import styles from './dataset-page.module.css'

/** Milliseconds between two downloads: browsers drop some of several simultaneous ones. */
const pause = 400

const mostAtOnce = 20

const manifest = 'manifest.json'

/** The dataset's files. Addresses are requested on demand, because each is valid for an hour. */
export function FilesSection({ dataset: { files, id } }: { dataset: Dataset }) {
  const download = useMutation({ mutationFn: (names: readonly string[]) => downloadFiles(id, names) })
  const names = [...files.map(({ name }) => name), manifest]
  return (
    <Section
      title="Files"
      aside={
        names.length <= mostAtOnce && (
          <Button disabled={download.isPending} onClick={() => download.mutate(names)}>
            <Download size={16} aria-hidden /> Download all {names.length}
          </Button>
        )
      }
    >
      <div className={styles.files}>
        {download.error !== null && <Refusal error={download.error} />}
        <Table label="Names, sizes and digests">
          <thead>
            <tr>
              <Column>File</Column>
              <Column isNumber>Rows</Column>
              <Column isNumber>Size</Column>
              <Column>SHA-256</Column>
              <Column isUnseen>Download</Column>
            </tr>
          </thead>
          <tbody>
            {files.map(({ bytes, name, rows, sha256 }) => (
              <FileRow key={name} name={name} download={download}>
                <td className="number">{rows === null ? noNumber : formatCount(rows)}</td>
                <td className="number">{formatBytes(bytes)}</td>
                <td className={styles.fileDigest}>
                  <code>{sha256}</code>
                </td>
              </FileRow>
            ))}
            <FileRow name={manifest} download={download}>
              <td className="number">{noNumber}</td>
              <td className="number">{noNumber}</td>
              <td className={styles.fileDigest}>names every digest</td>
            </FileRow>
          </tbody>
        </Table>
        <p className="soft">
          The command downloads them into a folder, checks every digest, and unpacks what the trainer cannot
          read packed:
        </p>
        <CodeBlock label="Download command" text={`espalier export --dataset ${id} --out rows`} />
      </div>
    </Section>
  )
}

function FileRow({
  name,
  download: { isPending, mutate },
  children,
}: {
  name: string
  download: { isPending: boolean; mutate: (names: readonly string[]) => void }
  children: ReactNode
}) {
  return (
    <tr>
      <td>
        <code>{name}</code>
      </td>
      {children}
      <td>
        <span className={styles.fileDownload}>
          <IconButton label={`Download ${name}`} isDisabled={isPending} onClick={() => mutate([name])}>
            <Download size={16} aria-hidden />
          </IconButton>
        </span>
      </td>
    </tr>
  )
}

const frontMatter = /^---\n.*?\n---\n+/s

export function ReadmeSection({ dataset: { id } }: { dataset: Dataset }) {
  const readme = useQuery({
    queryKey: ['dataset', id, 'readme'],
    queryFn: () => api.datasetReadme(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Section title="How to load it" aside="README.md beside the data, without its front matter">
      <section className={styles.readme} aria-label="README.md" tabIndex={0}>
        <Loaded what="the README" query={readme}>
          {(text) => <ForeignText text={text.replace(frontMatter, '')} />}
        </Loaded>
      </section>
    </Section>
  )
}

/**
 * Downloads files of a dataset one after the other, with freshly signed addresses.
 *
 * @throws ApiError, ConnectionError if the addresses cannot be read
 */
async function downloadFiles(dataset: string, names: readonly string[]): Promise<void> {
  const files = await signedFiles(dataset)
  for (const [index, name] of names.entries()) {
    const file = files.get(name)
    if (file === undefined) throw new Error(`The dataset has no file ${name}.`)
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    const link = document.createElement('a')
    link.href = file.url
    link.download = `${dataset}-${name}`
    link.rel = 'noopener'
    link.click()
  }
}

async function signedFiles(dataset: string): Promise<Map<string, SignedFile>> {
  const files = new Map<string, SignedFile>()
  for (let after: string | undefined; ; ) {
    const page = await api.datasetFiles(dataset, { limit: 1000, after })
    for (const file of page.data) files.set(file.name, file)
    if (!page.has_more || page.last_id === null) return files
    after = page.last_id
  }
}
