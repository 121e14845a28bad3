/** Ten codes for the day on which the phone is not at hand; shown once, to print or to copy. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Check, Copy, Printer } from 'lucide-react'
import { Link } from 'react-router'
import css from './second-factor-page.module.css'

const never = () => () => {}

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  // Only a browser with script can copy and print by a button.
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const heading = useRef<HTMLHeadingElement>(null)
  // The focus is the browser's: the button that led here is gone, and the codes must not be passed over.
  useEffect(() => heading.current?.focus(), [])
  const [isCopied, setCopied] = useState(false)
  return (
    <section className={`card ${css.card} ${css.codes}`} aria-labelledby="codes">
      <h2 id="codes" className={css.heading} ref={heading} tabIndex={-1}>
        Keep your recovery codes
      </h2>
      <p>
        Without your phone, each of these codes lets you log in once. Print them or write them down, and keep them where only you find them.{' '}
        <strong>They are shown only now.</strong>
      </p>
      <ul className={css.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={`${css.choices} no-print`}>
        {isAlive && (
          <>
            <button
              type="button"
              className="button quiet"
              onClick={() => void navigator.clipboard?.writeText(codes.join('\n')).then(() => setCopied(true))}
            >
              {isCopied ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
              {isCopied ? 'Copied' : 'Copy'}
            </button>
            <button type="button" className="button quiet" onClick={() => window.print()}>
              <Printer size={20} aria-hidden="true" />
              Print
            </button>
          </>
        )}
        <Link className="button" to="/account/">
          I Have Kept Them
        </Link>
      </div>
    </section>
  )
}
