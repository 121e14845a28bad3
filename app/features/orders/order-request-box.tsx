/** The box of an item's page in which a customer asks for the item (ITEM-18); the form's program is for those who may send it. */
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { isLedHere, later } from '#app/ui/later.tsx'
import type { Props } from './order-request-form.tsx'
import { REQUEST_HINT } from './order-request-hint.ts'
import css from './order-request-box.module.css'

const { Later: OrderRequestForm, ready } = later(async () => (await import('./order-request-form.tsx')).OrderRequestForm)
if (isLedHere()) await ready()

export function OrderRequestBox(props: Props) {
  const id = useId()
  // Whose session ends meanwhile keeps the form, with what was typed.
  const [hasForm, setHasForm] = useState(props.viewer !== 'visitor')
  if (!hasForm && props.viewer !== 'visitor') setHasForm(true)
  if (hasForm) return <OrderRequestForm {...props} />
  return (
    <section className={css.box} id="order-request" tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Order Request</h2>
      <p className="hint">{REQUEST_HINT}</p>
      <Link className="button" to="/login/">
        Please Login to Order
      </Link>
    </section>
  )
}
