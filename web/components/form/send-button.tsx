import { Button } from '../button.tsx'

export function SendButton({
  form: { isComplete, isSent },
  text,
}: {
  form: { isComplete: boolean; isSent: boolean }
  text: string
}) {
  return (
    <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
      {isSent ? 'Sending …' : text}
    </Button>
  )
}
