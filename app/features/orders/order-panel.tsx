import { type ReactNode, useId } from 'react'
import { href, Link } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import { decimalAmount } from '#pricing/money.ts'
import { ActionForm, SubmitButton, useActionForm, type FormState } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import type { OrderLine } from '#conversation/order-lines.server.ts'
import { isTypedLine } from '#conversation/order-line.ts'
import { orderPanelTexts as texts } from './owner-texts.ts'
import { Thumbnail } from '#ui/thumbnail.tsx'
import type { SaleUndo } from './sale-undo.server.ts'
import { UndoSaleForm } from './undo-sale-form.tsx'
import css from './order-panel.module.css'

export type SaleUndos = Readonly<Record<string, SaleUndo>>

type OrderPanelProps = {
  orderId: string
  items: OrderLine[]
  undos: SaleUndos
  isClosed: boolean
  mayOffer: boolean
  action: string
  children: (item: OrderLine) => ReactNode
}

export function OrderPanel(props: OrderPanelProps) {
  const { orderId, items, undos, isClosed, mayOffer, action, children } = props
  return (
    <div className={css.panel}>
      <h3>{texts.title}</h3>
      {isClosed && <p className="text-soft">{texts.closed}</p>}
      {items.length === 0 && <p className="text-soft">{texts.empty}</p>}
      <ul
        className="grid gap-4"
        role="list"
      >
        {items.map((item) => (
          <OrderItemRow
            key={item.position}
            item={item}
            undo={undos[item.sale?.id ?? '']}
            isClosed={isClosed}
            action={action}
          >
            {!item.isSold && children(item)}
          </OrderItemRow>
        ))}
      </ul>
      {items.some(({ isSold, agreedCents }) => !isSold && agreedCents !== null) && (
        <p className="text-soft text-sm m-0">{texts.removeAgreed}</p>
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

function RetireButton({ item: { id, name } }: { item: OrderLine }) {
  const form = useActionForm()
  return (
    <ActionForm
      form={form}
      action={href('/manage/item/:itemid?', { itemid: id })}
      fields={{ intent: 'state', state: 'retired' }}
    >
      <SubmitButton
        className="button quiet"
        aria-label={texts.retireItem(name)}
      >
        {texts.retire}
      </SubmitButton>
    </ActionForm>
  )
}

type OrderItemRowProps = UnsoldLineActionsProps & {
  undo: SaleUndo | undefined
  children: ReactNode
}

function OrderItemRow({ item, undo, isClosed, action, children }: OrderItemRowProps) {
  // The undo button disappears with the sale, so the row keeps the form's state.
  const undoing = useActionForm()
  return (
    <li className={`flex items-center gap-3 border-b ${css.item}`}>
      <Thumbnail image={item.image} />
      <div className={`min-w-0 ${css.about}`}>
        <LineName item={item} />
        {item.color && <p className="text-soft m-0">{item.color}</p>}
        <LinePrices item={item} />
        {item.sale && <LineSale sale={item.sale} />}
      </div>
      {children}
      <div className={`row ${css.acts}`}>
        {item.isSold ? (
          <SoldLineActions
            item={item}
            undo={undo}
            undoing={undoing}
            action={action}
          />
        ) : (
          <UnsoldLineActions
            item={item}
            isClosed={isClosed}
            action={action}
          />
        )}
      </div>
    </li>
  )
}

function LineName({ item: { id, name, quantity } }: { item: OrderLine }) {
  const label = quantity > 1 ? `${texts.quantity(quantity)} ${name}` : name
  if (isTypedLine(id)) return <strong>{label}</strong>
  return (
    <Link
      className="tap font-semibold"
      to={`/item/${encodeURIComponent(id)}`}
    >
      {label}
    </Link>
  )
}

function LinePrices({ item }: { item: OrderLine }) {
  const money = useMoney()
  const { quantity, priceCents, isSold, agreedCents, shownCents, currentCents } = item
  const ofAll = (cents: number) => money(cents * quantity)
  return (
    <p className="tabular-nums">
      {quantity > 1 && texts.together(quantity)}
      {texts.originalPrice(ofAll(priceCents))}
      {!isSold && agreedCents !== null && <> {texts.agreedPrice(money(agreedCents))}</>}
      {!isSold && shownCents !== null && shownCents !== priceCents && (
        <> {texts.shownPrice(ofAll(shownCents))}</>
      )}
      {!isSold && currentCents !== null && currentCents !== priceCents && (
        <>
          {' '}
          {texts.currentPrice.separator}
          <strong className={css.now}>{texts.currentPrice.price(ofAll(currentCents))}</strong>
        </>
      )}
    </p>
  )
}

function LineSale({ sale: { cents, receipt } }: { sale: NonNullable<OrderLine['sale']> }) {
  return (
    <p className={`tabular-nums row ${css.sale}`}>
      <strong>{texts.soldFor(useMoney()(cents))}</strong>
      <Link
        className="tap font-semibold"
        to={`/manage/sales/?receipt=${encodeURIComponent(receipt)}`}
      >
        {texts.receipt}
      </Link>
    </p>
  )
}

type SoldLineActionsProps = Pick<OrderItemRowProps, 'item' | 'undo' | 'action'> & {
  undoing: FormState
}

function SoldLineActions({ item, undo, undoing, action }: SoldLineActionsProps) {
  return (
    <>
      <button
        type="button"
        className="button"
        disabled
      >
        {texts.sold}
      </button>
      {item.sale && undo && (
        <UndoSaleForm
          sale={{ id: item.sale.id, item: item.name }}
          undo={undo}
          form={undoing}
          action={action}
        />
      )}
      {item.state === 'listed' && <RetireButton item={item} />}
    </>
  )
}

type UnsoldLineActionsProps = { item: OrderLine; isClosed: boolean; action: string }

function UnsoldLineActions({ item, isClosed, action }: UnsoldLineActionsProps) {
  const completing = useActionForm()
  const removing = useActionForm()
  const isPending = completing.isPending || removing.isPending
  return (
    <>
      <SaleForm
        item={item}
        isClosed={isClosed}
        action={action}
        form={completing}
        isPending={isPending}
      />
      <p
        className="error"
        role="alert"
      >
        {isPending ? undefined : removing.answer?.error}
      </p>
      {item.agreedCents === null && (
        <ConfirmForm
          form={removing}
          action={action}
          fields={{ intent: 'remove', itemId: item.id }}
          question={texts.confirmRemoval(item.name)}
          label={texts.remove}
          disabled={isClosed}
          isPending={isPending}
        />
      )}
    </>
  )
}

type SaleFormProps = UnsoldLineActionsProps & { form: FormState; isPending: boolean }

function SaleForm({ item, isClosed, action, form, isPending }: SaleFormProps) {
  const id = useId()
  const money = useMoney()
  const error = isPending ? undefined : form.answer?.error
  const { agreedCents, quantity } = item
  const shownCents = item.shownCents === null ? null : item.shownCents * quantity
  const prefilled = agreedCents ?? shownCents
  return (
    <ActionForm
      form={form}
      action={action}
      className={css.sell}
      fields={{ intent: 'complete', itemId: item.id }}
    >
      <label htmlFor={`${id}-price`}>{texts.salePrice(quantity)}</label>
      <input
        className="input tabular-nums"
        id={`${id}-price`}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        placeholder={money(item.priceCents * quantity)}
        key={agreedCents}
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
      {agreedCents !== null && (
        <label className="check text-sm">
          <input
            type="checkbox"
            name="otherPrice"
          />
          {texts.otherPrice(money(agreedCents))}
        </label>
      )}
      <SubmitButton
        disabled={isClosed}
        aria-disabled={isPending}
      >
        {texts.complete}
      </SubmitButton>
    </ActionForm>
  )
}
