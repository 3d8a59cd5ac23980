import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { KeyForm } from '../components/key-form.tsx'
import { sessionKey } from '../service/session-key.ts'
import { useStore } from '../service/store.ts'

/** Shows whether the page has an API key, and takes another. */
export function KeyMenu() {
  const key = useStore(sessionKey)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={key === null ? 'API key: none. Enter one' : 'API key: set. Change it'}
        onClick={() => setOpen(true)}
        isMarked={key !== null}
      >
        <KeyRound size={18} aria-hidden />
      </IconButton>
      <Dialog title="API key" isOpen={isOpen} onClose={() => setOpen(false)}>
        <KeyForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
