import { useId } from 'react'
import { Link, useFetcher } from 'react-router'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { Answer } from '#app/ui/answer.ts'
import { AskForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { OrderLine } from './orders.server.ts'
import css from './order-panel.module.css'

type Props = { items: OrderLine[]; isClosed: boolean; action: string }

/** MSG-23 */
export function OrderPanel({ items, isClosed, action }: Props) {
  return (
    <div className={css.panel}>
      <h3>Order</h3>
      {isClosed && <p className="soft">This order is closed. A new request of the customer opens it again.</p>}
      {items.length === 0 && <p className="soft">No items have been asked for.</p>}
      <ul className="stack" role="list">
        {items.map((item) => (
          <OrderItemRow key={item.id} item={item} isClosed={isClosed} action={action} />
        ))}
      </ul>
    </div>
  )
}

/** MSG-24 to MSG-27, MSG-30 to MSG-32, S-068, S-073, S-080, S-084, S-087 */
function OrderItemRow({ item, isClosed, action }: { item: OrderLine; isClosed: boolean; action: string }) {
  const id = useId()
  const completing = useFetcher<Answer>()
  const removing = useFetcher<Answer>()
  useAnswerToasts(completing.data)
  const isPending = completing.state !== 'idle' || removing.state !== 'idle'
  const error = isPending ? undefined : completing.data?.error
  const removeError = isPending ? undefined : removing.data?.error

  return (
    <li className={`row ruled ${css.item}`}>
      {item.picture ? <Picture picture={item.picture} alt="" sizes="96px" className={css.picture} /> : <span className={css.picture} />}
      <div className={`slim ${css.about}`}>
        <Link className="tap strong" to={`/item/${encodeURIComponent(item.id)}`}>
          {item.name}
        </Link>
        <p className="tabular">
          Original price {formatMoney(item.priceCents)}
          {!item.isSold && item.currentCents !== null && item.currentCents !== item.priceCents && (
            <>
              {' '}
              · <strong className={css.now}>now {formatMoney(item.currentCents)}</strong>
            </>
          )}
        </p>
        {item.sale && (
          <p className={`tabular cluster ${css.sale}`}>
            <strong>Sold for {formatMoney(item.sale.cents)}</strong>
            <Link className="tap strong" to={`/manage/sales/?receipt=${encodeURIComponent(item.sale.receipt)}`}>
              See the receipt
            </Link>
          </p>
        )}
      </div>
      {item.isSold ? (
        <button type="button" className={`button ${css.sold}`} disabled>
          Sale Completed
        </button>
      ) : (
        <div className={`cluster ${css.acts}`}>
          <completing.Form method="post" action={action} className={css.sell}>
            <HiddenFields intent="complete" itemId={item.id} />
            <label htmlFor={`${id}-price`}>Sale price</label>
            <input
              className="input tabular"
              id={`${id}-price`}
              name="price"
              inputMode="decimal"
              autoComplete="off"
              placeholder={formatMoney(item.priceCents)}
              aria-describedby={`${id}-error`}
              aria-invalid={error !== undefined}
              disabled={isClosed}
              readOnly={isPending}
            />
            <button className="button" disabled={isClosed} aria-disabled={isPending} aria-busy={completing.state !== 'idle'}>
              Sale Complete
            </button>
          </completing.Form>
          <AskForm
            form={removing.Form}
            action={action}
            fields={{ intent: 'remove', itemId: item.id }}
            question={`Remove ${item.name} from this order?`}
            label="Remove"
            disabled={isClosed}
            isPending={isPending}
          />
          <p className="error" id={`${id}-error`} role="alert">
            {error ?? removeError}
          </p>
        </div>
      )}
    </li>
  )
}
