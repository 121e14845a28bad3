import {
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { href, Link, useRevalidator } from 'react-router'
import { connectivity, useIsShopLost } from '#client/connectivity.ts'
import { useStore } from '#client/store.ts'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { UndoSaleForm } from '#orders/undo-sale-form.tsx'
import { useMoney } from '#pricing/use-money.ts'
import { paymentMethodName, SALE_METHODS, type SaleMethod } from '#sales/texts.ts'
import { FormError, useActionForm } from '#ui/action-form.tsx'
import { DialogButton, DialogActions, CloseButton, closestDialog } from '#ui/dialog-button.tsx'
import { Image } from '#ui/icons.tsx'
import { CircleAlert, Pencil } from '#ui/owner-icons.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { showToast } from '#ui/toasts.tsx'
import {
  type MarketSale,
  MARKET_PATH,
  MAX_PIECE_NAME,
  type StoredMarketSale,
} from './direct-sale.ts'
import type { readMarket } from './direct-sales.server.ts'
import css from './market-stall.module.css'
import { startOfflineMode, storePage } from './offline-copy.ts'
import { emptyQueue, type QueuedSale, saleQueue, type QueueState } from './sale-queue.ts'
import { deleteSalesOfDay, readSalesOfDay, storeSalesOfDay } from './sales-of-day.ts'
import { marketTexts as texts, addSaleErrors } from './texts.ts'
import { newId15 } from '#lib/text/ids.ts'
import { type Cents, decimalAmount } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { InputField } from '#ui/form-fields.tsx'
import { MethodChoice } from './add-sale-page.tsx'

type MarketPageProps = Awaited<ReturnType<typeof readMarket>>

const MANY_PIECES = 12
const RETRY_MS = 20_000

export function MarketPage({ pieces, sales }: MarketPageProps) {
  const money = useMoney()
  const isHydrated = useHydrated()
  const [selling, setSelling] = useState<Selling | null>(null)
  const images = useMemo(() => pieces.flatMap(({ image }) => image ?? []), [pieces])
  const isReady = useOfflineMode(images)
  const queue = useSaleQueue(images)
  const { unsent, sold, total } = useTodaysSales(sales, queue)
  useEffect(() => {
    if (sales) saleQueue.listed(sales)
  }, [sales])
  useEffect(() => saleQueue.forgetSent(), [])

  async function sell(sale: MarketSale) {
    await saleQueue.add(sale)
    showToast(texts.saved(sale.name, money(sale.cents)))
  }

  return (
    <main
      className="page"
      id="main"
    >
      <div className={`grid gap-4 ${css.sheet} ${css.stall}`}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="m-0">{texts.title}</h1>
          <p className="row m-0">
            {isHydrated && (
              <a
                className="tap"
                href={`#${TODAY}`}
              >
                {texts.todaySum(money(total))}
              </a>
            )}
            <Link
              className="tap"
              to={href('/manage/sales')}
            >
              {texts.back}
            </Link>
          </p>
        </div>
        <noscript>
          <p className="notice">
            {texts.noScript.before}
            <a href={href('/manage/sales/add')}>{texts.noScript.link}</a>
            {texts.noScript.after}
          </p>
        </noscript>
        {isHydrated && (
          <QueueStatus
            queue={queue}
            isReady={isReady}
          />
        )}
        <PieceChoice
          pieces={pieces}
          onChoose={setSelling}
        />
        {isHydrated && (
          <Today
            unsent={unsent}
            sold={sold}
            total={total}
            onUndone={() => void storePage(images).catch(() => {})}
          />
        )}
      </div>
      {selling && (
        <SaleDialog
          selling={selling}
          onSold={sell}
          onClose={() => setSelling(null)}
        />
      )}
    </main>
  )
}

type PieceChoiceProps = Pick<MarketPageProps, 'pieces'> & { onChoose: (selling: Selling) => void }

function PieceChoice({ pieces, onChoose }: PieceChoiceProps) {
  const money = useMoney()
  const [query, setQuery] = useState('')
  const searched = normalizeForSearch(query.trim())
  const matches = pieces.filter(({ name }) => normalizeForSearch(name).includes(searched))
  return (
    <>
      {pieces.length > MANY_PIECES && (
        <input
          className="input"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <ul
        className={`list-none ${css.pieces}`}
        aria-label={texts.pieces}
      >
        <li>
          <button
            type="button"
            className={`card ${css.piece}`}
            onClick={() => onChoose({ itemId: '', name: '', cents: null })}
          >
            <Pencil />
            <span>{texts.other}</span>
          </button>
        </li>
        {matches.map(({ id, name, cents, image }) => (
          <li key={id}>
            <button
              type="button"
              className={`card ${css.piece}`}
              onClick={() => onChoose({ itemId: id, name, cents })}
            >
              {image ? (
                <img
                  src={image}
                  alt=""
                  width="120"
                  height="120"
                  loading="lazy"
                />
              ) : (
                <Image />
              )}
              <span>{name}</span>
              <strong className="tabular-nums">{money(cents)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {matches.length === 0 && query !== '' && <p className="text-soft m-0">{texts.noneFound}</p>}
    </>
  )
}

function useOfflineMode(images: readonly string[]) {
  const [isReady, setReady] = useState<boolean | null>(null)
  useEffect(() => {
    let isClosed = false
    // Without a connection, only the service worker can have opened the page.
    const isStored = () =>
      Boolean((navigator.serviceWorker as ServiceWorkerContainer | undefined)?.controller)
    void startOfflineMode(images)
      .catch(isStored)
      .then((ready) => isClosed || setReady(ready))
    return () => void (isClosed = true)
  }, [images])
  return isReady
}

function useSaleQueue(images: readonly string[]) {
  const queue = useStore(saleQueue, emptyQueue)
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const send = () => void saleQueue.send()
    send()
    const timer = setInterval(() => saleQueue.read().unsent.length > 0 && send(), RETRY_MS)
    const unsubscribe = connectivity.subscribe(() => connectivity.isLost() || send())
    window.addEventListener('online', send)
    return () => {
      clearInterval(timer)
      unsubscribe()
      window.removeEventListener('online', send)
    }
  }, [])
  const sentCount = queue.isSending ? 0 : queue.sent.length
  useEffect(() => {
    if (sentCount === 0) return
    void revalidate()
    void storePage(images).catch(() => {})
    // oxlint-disable-next-line exhaustive-deps -- runs once for each group of sent sales
  }, [sentCount])
  return queue
}

type QueueStatusProps = { queue: QueueState; isReady: boolean | null }

function QueueStatus({ queue: { unsent, problem, isSending }, isReady }: QueueStatusProps) {
  const isLost = useIsShopLost()
  const shownProblem = problem ?? (isLost ? 'offline' : null)
  return (
    <div className={`notice m-0 ${css.state}`}>
      <p
        className="m-0"
        role="status"
      >
        {shownProblem && <>{texts.problems[shownProblem]} </>}
        {unsent.length > 0 ? (
          <strong>{texts.waiting(unsent.length)}</strong>
        ) : (
          !shownProblem && texts.allSent
        )}{' '}
        {isReady !== null && !shownProblem && (isReady ? texts.ready : texts.unready)}
      </p>
      {shownProblem === 'logged-out' && (
        <a
          className="button"
          href={`/login/?from=${encodeURIComponent(MARKET_PATH)}`}
        >
          {texts.login}
        </a>
      )}
      {unsent.length > 0 && shownProblem !== 'logged-out' && (
        <button
          type="button"
          className="button quiet"
          aria-disabled={isSending}
          onClick={() => void saleQueue.send()}
        >
          {texts.retry}
        </button>
      )}
    </div>
  )
}

/** `dayAndTime` of format-date.ts is not used here, because public pages would then load it. */
const dayOf = (at: number, timeZone: string) =>
  new Date(at).toLocaleDateString('sv-SE', { timeZone })

function everyMinute(listener: () => void) {
  const timer = setInterval(listener, 60_000)
  return () => clearInterval(timer)
}

/** Without a connection, the page is a copy without sales, so the browser's own list is shown. */
function useSalesOfDay(
  sales: StoredMarketSale[] | null,
  sent: readonly StoredMarketSale[],
  today: string,
  isLoggedOut: boolean,
) {
  const [stored, setStored] = useState<StoredMarketSale[] | null>(null)
  useEffect(() => {
    let isClosed = false
    const show = (found: StoredMarketSale[]) => isClosed || setStored(found)
    if (isLoggedOut) void deleteSalesOfDay().catch(() => {})
    else if (!sales) void readSalesOfDay(today).then(show, () => {})
    return () => void (isClosed = true)
  }, [sales, today, isLoggedOut])
  const listed = sales ?? stored
  useEffect(() => {
    if (!listed || isLoggedOut) return
    void storeSalesOfDay(today, withoutDoubles([...sent, ...listed])).catch(() => {})
  }, [listed, sent, today, isLoggedOut])
  return isLoggedOut ? [] : withoutDoubles([...sent, ...(listed ?? [])])
}

const withoutDoubles = (sales: readonly StoredMarketSale[]) => [
  ...new Map(sales.map((sale) => [sale.id, sale])).values(),
]

function useTodaysSales(loadedSales: StoredMarketSale[] | null, queue: QueueState) {
  const timeZone = useShopTimeZone()
  const readToday = () => dayOf(Date.now(), timeZone)
  const today = useSyncExternalStore(everyMinute, readToday, readToday)
  const isLoggedOut = queue.problem === 'logged-out'
  const stored = useSalesOfDay(loadedSales, queue.sent, today, isLoggedOut)
  const isStored = ({ id }: MarketSale) => stored.some((sale) => sale.id === id)
  const unsent = queue.unsent.filter((sale) => !isStored(sale)).toReversed()
  const isOfToday = ({ at }: MarketSale) => dayOf(at, timeZone) === today
  const sold = stored.filter(isOfToday).toSorted((left, right) => right.at - left.at)
  return {
    unsent,
    sold,
    total: [...unsent.filter(isOfToday), ...sold].reduce((sum, { cents }) => sum + cents, 0),
  }
}

const TODAY = 'today'

type TodayProps = ReturnType<typeof useTodaysSales> & { onUndone: () => void }

export function Today({ unsent, sold, total, onUndone }: TodayProps) {
  const money = useMoney()
  // The row of an undone sale disappears, so the section keeps the form's state.
  const undoing = useActionForm()
  const { answer } = undoing
  useEffect(() => {
    if (answer?.ok) onUndone()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once for each answer
  }, [answer])
  return (
    <section
      className={`card ${css.today}`}
      aria-labelledby={TODAY}
    >
      <h2 id={TODAY}>{texts.today}</h2>
      {unsent.length + sold.length === 0 && <p className="text-soft m-0">{texts.none}</p>}
      <ul className="list-none">
        {unsent.map((sale) => (
          <SaleRow
            sale={sale}
            isUnsent
            key={sale.id}
          >
            <RemoveButton sale={sale} />
          </SaleRow>
        ))}
        {sold.map((sale) => (
          <SaleRow
            sale={sale}
            key={sale.id}
          >
            {sale.undo && (
              <UndoSaleForm
                sale={{ id: sale.id, item: sale.name }}
                undo={sale.undo}
                form={undoing}
                action={MARKET_PATH}
                asksFirst
              />
            )}
          </SaleRow>
        ))}
      </ul>
      <FormError answer={answer} />
      <p className={`flex flex-wrap gap-3 justify-between m-0 ${css.sum}`}>
        <span>{texts.total}</span> <strong className="tabular-nums">{money(total)}</strong>
      </p>
    </section>
  )
}

type SaleRowProps = { sale: QueuedSale; isUnsent?: boolean; children: ReactNode }

function SaleRow({ sale, isUnsent = false, children }: SaleRowProps) {
  const money = useMoney()
  return (
    <li className={css.sale}>
      <span>
        {sale.name}
        {sale.error && <span className="error"> {sale.error}</span>}
      </span>
      <strong className="tabular-nums">{money(sale.cents)}</strong>
      <span className="row text-sm text-soft">
        {paymentMethodName(sale.method)}
        {isUnsent && (
          <span className={`flex items-center gap-3 ${css.unsent}`}>
            <CircleAlert size={18} /> {texts.unsent}
          </span>
        )}
      </span>
      {children}
    </li>
  )
}

const RemoveButton = ({ sale: { id, name } }: { sale: QueuedSale }) => (
  <DialogButton
    className="button quiet danger"
    label={texts.remove}
    ariaLabel={texts.removeSale(name)}
    question={texts.confirmRemoval(name)}
  >
    {(dialogId) => (
      <DialogActions>
        <button
          type="button"
          className="button destructive"
          onClick={({ currentTarget }) => {
            closestDialog(currentTarget)?.close()
            void saleQueue.remove(id)
          }}
        >
          {texts.yes}
        </button>
        <CloseButton dialogId={dialogId}>{texts.no}</CloseButton>
      </DialogActions>
    )}
  </DialogButton>
)

type Selling = { itemId: string; name: string; cents: Cents | null }

type SaleDialogProps = {
  selling: Selling
  /** Rejects if the browser cannot store the sale. */
  onSold: (sale: MarketSale) => Promise<void>
  onClose: () => void
}

let lastMethod: SaleMethod = 'cash'

function SaleDialog({ selling, onSold, onClose }: SaleDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [priceError, setPriceError] = useState<string | undefined>()
  const [isNotStored, setNotStored] = useState(false)
  const [isStoring, setStoring] = useState(false)
  const isTyped = selling.cents === null
  // On a phone, the keyboard of a focused field would cover "Sold".
  useEffect(() => {
    dialog.current?.showModal()
    if (!isTyped) dialog.current?.querySelector<HTMLElement>(`.${css.sold}`)?.focus()
  }, [isTyped])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isStoring) return
    const sale = readSale(new FormData(event.currentTarget), selling)
    if (!sale) {
      event.currentTarget.querySelector<HTMLElement>('[name=price]')?.focus()
      setPriceError(addSaleErrors.badPrice)
      return
    }
    lastMethod = sale.method
    setStoring(true)
    try {
      await onSold(sale)
      dialog.current?.close()
    } catch {
      setNotStored(true)
      setStoring(false)
    }
  }

  return (
    <dialog
      ref={dialog}
      className={`card ${css.dialog}`}
      aria-labelledby="selling"
      onClose={onClose}
    >
      <form
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <h2 id="selling">{selling.name || texts.other}</h2>
        {isNotStored && (
          <p
            className="error mb-5"
            role="alert"
          >
            {texts.notStored}
          </p>
        )}
        <SaleFields
          selling={selling}
          error={priceError}
        />
        <button
          className={`button ${css.sold}`}
          aria-disabled={isStoring}
        >
          {texts.sold}
        </button>
        <button
          type="button"
          className="button quiet w-full"
          onClick={() => dialog.current?.close()}
        >
          {texts.cancel}
        </button>
      </form>
    </dialog>
  )
}

function readSale(form: FormData, { itemId, name }: Selling) {
  const text = (field: string) => String(form.get(field) ?? '')
  const cents = parseMoney(text('price'))
  if (cents === null) return null
  const typedName = text('what').replaceAll(/\s+/g, ' ').trim()
  return {
    id: newId15(),
    itemId,
    name: itemId ? name : typedName || texts.otherName,
    cents,
    method: SALE_METHODS.find((method) => method === text('method')) ?? 'cash',
    at: Date.now(),
  }
}

type SaleFieldsProps = { selling: Selling; error: string | undefined }

const SaleFields = ({ selling: { itemId, name, cents }, error }: SaleFieldsProps) => (
  <>
    <InputField
      label={texts.price}
      name="price"
      error={error}
      controlClassName={`input ${css.amount}`}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={cents === null ? '' : decimalAmount(cents)}
    />
    {itemId === '' && (
      <InputField
        label={texts.what}
        name="what"
        autoComplete="off"
        maxLength={MAX_PIECE_NAME}
        defaultValue={name}
      />
    )}
    <MethodChoice chosen={lastMethod} />
  </>
)
