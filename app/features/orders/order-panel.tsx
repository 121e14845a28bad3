import { type ReactNode, useId, useRef } from 'react'
import { href, Link, useFetcher } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { decimalAmount, formatMoney } from '#app/features/pricing/money.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { ConfirmForm, HiddenFields, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import type { OrderLine } from './order-lines.server.ts'
import { isTypedLine } from './order.ts'
import { orderPanelTexts as texts } from './owner-texts.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { UndoSaleForm } from './undo-sale-form.tsx'
import css from './order-panel.module.css'

type Props = {
  orderId: string
  items: OrderLine[]
  isClosed: boolean
  /** false if the order is closed, or if the account of the customer was deleted */
  mayOffer: boolean
  action: string
  /** Renders further content below an unsold item. */
  children: (item: OrderLine) => ReactNode
}

export function OrderPanel({ orderId, items, isClosed, mayOffer, action, children }: Props) {
  return (
    <div className={css.panel}>
      <h3>{texts.title}</h3>
      {isClosed && <p className="soft">{texts.closed}</p>}
      {items.length === 0 && <p className="soft">{texts.empty}</p>}
      <ul
        className="stack"
        role="list"
      >
        {items.map((item) => (
          <OrderItemRow
            key={item.position}
            item={item}
            isClosed={isClosed}
            action={action}
          >
            {!item.isSold && children(item)}
          </OrderItemRow>
        ))}
      </ul>
      {items.some(({ isSold, agreedCents }) => !isSold && agreedCents !== null) && (
        <p className="soft small flush">{texts.removeAgreed}</p>
      )}
      {mayOffer && (
        <Link
          className={`button quiet ${css.offer}`}
          to={href('/manage/offer/:orderid', { orderid: orderId })}
        >
          {texts.makeOffer}
        </Link>
      )}
    </div>
  )
}

/** Most items exist only once, so the owner can retire an item directly after its sale. [OWN-48] */
function RetireButton({ item: { id, name } }: { item: OrderLine }) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  return (
    <fetcher.Form
      method="post"
      action={href('/manage/item/:itemid?', { itemid: id })}
    >
      <HiddenFields
        intent="state"
        state="retired"
      />
      <button
        className="button quiet"
        aria-disabled={fetcher.state !== 'idle'}
        aria-label={texts.retireItem(name)}
      >
        {texts.retire}
      </button>
    </fetcher.Form>
  )
}

type RowProps = Pick<Props, 'isClosed' | 'action'> & { item: OrderLine; children: ReactNode }

function OrderItemRow({ item, isClosed, action, children }: RowProps) {
  const id = useId()
  const currency = useCurrency()
  const completing = useFetcher<ActionResult>()
  const removing = useFetcher<ActionResult>()
  const undoing = useFetcher<ActionResult>()
  useActionToasts(completing.data)
  useActionToasts(undoing.data)
  const isPending = completing.state !== 'idle' || removing.state !== 'idle'
  const error = isPending ? undefined : completing.data?.error
  const row = useRef<HTMLLIElement>(null)
  useFocusFirstInvalid(row, error)
  const ofAll = (cents: number) => formatMoney(cents * item.quantity, currency)
  const prefilled = item.agreedCents ?? item.shownCents
  const removeError = isPending ? undefined : removing.data?.error

  return (
    <li
      className={`row ruled ${css.item}`}
      ref={row}
    >
      <Thumbnail picture={item.picture} />
      <div className={`slim ${css.about}`}>
        {isTypedLine(item.id) ? (
          <strong>
            {item.quantity > 1 && `${texts.quantity(item.quantity)} `}
            {item.name}
          </strong>
        ) : (
          <Link
            className="tap strong"
            to={`/item/${encodeURIComponent(item.id)}`}
          >
            {item.quantity > 1 && `${texts.quantity(item.quantity)} `}
            {item.name}
          </Link>
        )}
        {item.color && <p className="soft flush">{item.color}</p>}
        <p className="tabular">
          {item.quantity > 1 && texts.together(item.quantity)}
          {texts.originalPrice(ofAll(item.priceCents))}
          {!item.isSold && item.agreedCents !== null && (
            <> {texts.agreedPrice(formatMoney(item.agreedCents, currency))}</>
          )}
          {!item.isSold && item.shownCents !== null && item.shownCents !== item.priceCents && (
            <> {texts.shownPrice(ofAll(item.shownCents))}</>
          )}
          {!item.isSold && item.currentCents !== null && item.currentCents !== item.priceCents && (
            <>
              {' '}
              {texts.currentPrice.separator}
              <strong className={css.now}>
                {texts.currentPrice.price(ofAll(item.currentCents))}
              </strong>
            </>
          )}
        </p>
        {item.sale && (
          <p className={`tabular cluster ${css.sale}`}>
            <strong>{texts.soldFor(formatMoney(item.sale.cents, currency))}</strong>
            <Link
              className="tap strong"
              to={`/manage/sales/?receipt=${encodeURIComponent(item.sale.receipt)}`}
            >
              {texts.receipt}
            </Link>
          </p>
        )}
      </div>
      {children}
      {item.isSold ? (
        <div className={`cluster ${css.acts}`}>
          <button
            type="button"
            className="button"
            disabled
          >
            {texts.sold}
          </button>
          {item.sale && (
            <UndoSaleForm
              sale={{ id: item.sale.id, item: item.name }}
              invoice={item.sale.invoice}
              form={undoing}
              action={action}
            />
          )}
          {item.state === 'listed' && <RetireButton item={item} />}
        </div>
      ) : (
        <div className={`cluster ${css.acts}`}>
          <completing.Form
            method="post"
            action={action}
            className={css.sell}
          >
            <HiddenFields
              intent="complete"
              itemId={item.id}
            />
            <label htmlFor={`${id}-price`}>{texts.salePrice(item.quantity)}</label>
            <input
              className="input tabular"
              id={`${id}-price`}
              name="price"
              inputMode="decimal"
              autoComplete="off"
              placeholder={ofAll(item.priceCents)}
              key={item.agreedCents}
              defaultValue={prefilled === null ? undefined : decimalAmount(prefilled)}
              aria-describedby={`${id}-error`}
              aria-invalid={error !== undefined}
              disabled={isClosed}
              readOnly={isPending}
            />
            <p
              className="error"
              id={`${id}-error`}
              role="alert"
            >
              {error}
            </p>
            {item.agreedCents !== null && (
              <label className="check small">
                <input
                  type="checkbox"
                  name="otherPrice"
                />
                {texts.otherPrice(formatMoney(item.agreedCents, currency))}
              </label>
            )}
            <button
              className="button"
              disabled={isClosed}
              aria-disabled={isPending}
              aria-busy={completing.state !== 'idle'}
            >
              {texts.complete}
            </button>
          </completing.Form>
          <p
            className="error"
            role="alert"
          >
            {removeError}
          </p>
          {item.agreedCents === null && (
            <ConfirmForm
              form={removing.Form}
              action={action}
              fields={{ intent: 'remove', itemId: item.id }}
              question={texts.confirmRemoval(item.name)}
              label={texts.remove}
              disabled={isClosed}
              isPending={isPending}
            />
          )}
        </div>
      )}
    </li>
  )
}
