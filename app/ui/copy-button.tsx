import { useSyncExternalStore } from 'react'
import css from './copy-button.module.css'
import { copyTexts as texts } from './copy-texts.ts'
import { showToast } from './toasts.tsx'

/** Without JavaScript, or without a secure connection, browsers cannot copy. */
const useClipboard = () =>
  useSyncExternalStore(
    () => () => {},
    () => ('clipboard' in navigator ? navigator.clipboard : null),
    () => null,
  )

export function CopyButton({ name, text }: { name: string; text: string }) {
  const clipboard = useClipboard()
  if (!clipboard) return null
  return (
    <button
      type="button"
      className={`button quiet text-sm ${css.copy}`}
      aria-label={texts.label(name)}
      onClick={() => {
        clipboard.writeText(text).then(
          () => showToast(texts.copied(name)),
          () => showToast(texts.failed),
        )
      }}
    >
      {texts.copy}
    </button>
  )
}
