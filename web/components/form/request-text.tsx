import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { curlCommand } from '../../format/curl-command.ts'
import { typescriptProgram } from '../../format/typescript-program.ts'
import { withEntry } from '../../format/with-entry.ts'
import { sessionKey } from '../../service/session-key.ts'
import { useStore } from '../../service/store.ts'
import { useAddress } from '../../service/use-address.ts'
import { CodeBlock } from '../code-block.tsx'
import { Section } from '../section.tsx'
import { Tabs } from '../tabs.tsx'

const tabs = [
  { id: 'curl', name: 'curl' },
  { id: 'cli', name: 'Command line' },
  { id: 'typescript', name: 'TypeScript' },
] as const

export function RequestText({
  path,
  body,
  command,
  note = null,
}: {
  path: string
  body: JsonObject
  /** The equivalent command line; null if its flags do not cover the request. */
  command: string | null
  note?: string | null
}) {
  const [address, setAddress] = useAddress()
  const chosen = tabs.find(({ id }) => id === address.get('as'))?.id ?? 'curl'
  const needsKey = useStore(sessionKey) !== null
  const request = { url: `${location.origin}${path}`, body, needsKey }
  const texts = {
    curl: () => curlCommand(request),
    cli: () => command,
    typescript: () => typescriptProgram(request),
  }
  const text = texts[chosen]()
  return (
    <Section title="The same request elsewhere">
      {note !== null && <p className="soft">{note}</p>}
      <Tabs
        label="Language"
        tabs={tabs}
        chosen={chosen}
        onChoose={(id) => setAddress((now) => withEntry(now, 'as', id))}
      >
        {text === null ? (
          <p className="soft">The command has no flags for all of this. Send it by curl.</p>
        ) : (
          <CodeBlock label="The request" text={text} />
        )}
        {needsKey && (
          <p className="soft">
            The key is taken from <code>ESPALIER_API_KEY</code>; it is never part of what is copied.
          </p>
        )}
      </Tabs>
    </Section>
  )
}
