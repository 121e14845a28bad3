import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { href, Link, useRevalidator } from 'react-router'
import { connectivity } from '#app/client/connectivity.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { paymentMethodName } from '#app/features/sales/payment-method.ts'
import { DialogButton, DialogActions, CloseButton, closestDialog } from '#app/ui/dialog-button.tsx'
import { CircleAlert, Image, Pencil } from '#app/ui/icons.tsx'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import type { MarketSale, Piece } from './direct-sale.ts'
import css from './market-stall.module.css'
import { MARKET_PATH, startOfflineMode, storePage } from './offline-copy.ts'
import { type Selling, SaleDialog } from './sale-dialog.tsx'
import { emptyQueue, type QueuedSale, saleQueue, type QueueState } from './sale-queue.ts'
import { marketTexts as texts } from './texts.ts'

type Props = { pieces: Piece[]; sales: MarketSale[]; timeZone: string }

/** If the list has at least this many pieces, it has a search field. */
const MANY_PIECES = 12
const RETRY_MS = 20_000

export function MarketPage({ pieces, sales, timeZone }: Props) {
  const currency = useCurrency()
  const isHydrated = useHydrated()
  const [query, setQuery] = useState('')
  const [selling, setSelling] = useState<Selling | null>(null)
  const images = useMemo(() => pieces.flatMap(({ image }) => image ?? []), [pieces])
  const isReady = useOfflineMode(images)
  const queue = useSaleQueue(images)
  const { unsent, sold, total } = useTodaysSales(sales, queue, timeZone)
  useEffect(() => saleQueue.listed(sales), [sales])
  useEffect(() => saleQueue.forgetSent(), [])
  const wanted = normalizeForSearch(query.trim())
  const found = pieces.filter(({ name }) => normalizeForSearch(name).includes(wanted))

  async function sell(sale: MarketSale) {
    setSelling(null)
    try {
      await saleQueue.add(sale)
      showToast(texts.saved(sale.name, formatMoney(sale.cents, currency)))
    } catch {
      // Opens the dialog again, with the texts that the owner typed.
      setSelling({ ...sale, error: texts.notStored })
    }
  }

  return (
    <main
      className="page"
      id="main"
    >
      <div className={`stack ${css.sheet} ${css.stall}`}>
        <div className="wrap apart aligned">
          <h1 className="flush">{texts.title}</h1>
          <p className="cluster flush">
            {isHydrated && (
              <a
                className="tap"
                href={`#${TODAY}`}
              >
                {texts.todaySum(formatMoney(total, currency))}
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
          className={`bare-list ${css.pieces}`}
          aria-label={texts.pieces}
        >
          <li>
            <button
              type="button"
              className={`card ${css.piece}`}
              onClick={() => setSelling({ itemId: '', name: '', cents: null })}
            >
              <Pencil />
              <span>{texts.other}</span>
            </button>
          </li>
          {found.map((piece) => (
            <li key={piece.id}>
              <button
                type="button"
                className={`card ${css.piece}`}
                onClick={() =>
                  setSelling({ itemId: piece.id, name: piece.name, cents: piece.cents })
                }
              >
                {piece.image ? (
                  <img
                    src={piece.image}
                    alt=""
                    width="120"
                    height="120"
                    loading="lazy"
                  />
                ) : (
                  <Image />
                )}
                <span>{piece.name}</span>
                <strong className="tabular">{formatMoney(piece.cents, currency)}</strong>
              </button>
            </li>
          ))}
        </ul>
        {found.length === 0 && query !== '' && <p className="soft flush">{texts.noneFound}</p>}
        {isHydrated && (
          <Today
            unsent={unsent}
            sold={sold}
            total={total}
          />
        )}
      </div>
      {selling && (
        <SaleDialog
          selling={selling}
          onSold={(sale) => void sell(sale)}
          onClose={() => setSelling(null)}
        />
      )}
    </main>
  )
}

/** Returns whether the page works offline, or null while the browser is storing the page. */
function useOfflineMode(images: readonly string[]): boolean | null {
  const [isReady, setReady] = useState<boolean | null>(null)
  useEffect(() => {
    let isGone = false
    // Without a connection, the browser has loaded the page from the stored copy.
    const isStored = () =>
      Boolean((navigator.serviceWorker as ServiceWorkerContainer | undefined)?.controller)
    void startOfflineMode(images)
      .catch(isStored)
      .then((ready) => isGone || setReady(ready))
    return () => void (isGone = true)
  }, [images])
  return isReady
}

/** Sends the unsent sales when the page opens, when the connection returns, and in regular intervals. */
function useSaleQueue(images: readonly string[]): QueueState {
  const queue = useSyncExternalStore(saleQueue.subscribe, saleQueue.state, () => emptyQueue)
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const send = () => void saleQueue.send()
    send()
    const timer = setInterval(() => saleQueue.state().unsent.length > 0 && send(), RETRY_MS)
    const unsubscribe = connectivity.subscribe(() => connectivity.isLost() || send())
    window.addEventListener('online', send)
    return () => {
      clearInterval(timer)
      unsubscribe()
      window.removeEventListener('online', send)
    }
  }, [])
  // After the last unsent sale was sent, stores the page again, because its list of sales has changed.
  const sentCount = queue.isSending ? 0 : queue.sent.length
  useEffect(() => {
    if (sentCount === 0) return
    void revalidate()
    void storePage(images).catch(() => {})
    // oxlint-disable-next-line exhaustive-deps -- runs once for each group of sent sales
  }, [sentCount])
  return queue
}

function QueueStatus({
  queue: { unsent, problem, isSending },
  isReady,
}: {
  queue: QueueState
  isReady: boolean | null
}) {
  const isLost = useSyncExternalStore(
    connectivity.subscribe,
    connectivity.isLost,
    connectivity.isLostOnServer,
  )
  const shown = problem ?? (isLost ? 'offline' : null)
  return (
    <div className={`notice flush ${css.state}`}>
      <p
        className="flush"
        role="status"
      >
        {shown && <>{texts.problems[shown]} </>}
        {unsent.length > 0 ? (
          <strong>{texts.waiting(unsent.length)}</strong>
        ) : (
          !shown && texts.allSent
        )}{' '}
        {isReady !== null && !shown && (isReady ? texts.ready : texts.unready)}
      </p>
      {shown === 'logged-out' && (
        <a
          className="button"
          href={`/login/?from=${encodeURIComponent(MARKET_PATH)}`}
        >
          {texts.login}
        </a>
      )}
      {unsent.length > 0 && shown !== 'logged-out' && (
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

/** Returns a day such as '2026-03-04'. Does not call `dayAndTime` of format-date.ts, because public pages also load this file and would then load `dayAndTime`. */
const dayOf = (at: number, timeZone: string): string =>
  new Date(at).toLocaleDateString('sv-SE', { timeZone })

/** Returns the current day. The page may stay open over midnight. */
function useToday(timeZone: string): string {
  const today = () => dayOf(Date.now(), timeZone)
  return useSyncExternalStore(everyMinute, today, today)
}
function everyMinute(listener: () => void) {
  const timer = setInterval(listener, 60_000)
  return () => clearInterval(timer)
}

/** Merges the sales that the shop has stored with the unsent sales. The newest sale is first. `unsent` may contain sales of earlier days, but `total` counts only the sales of today. */
function useTodaysSales(sales: MarketSale[], queue: QueueState, timeZone: string) {
  const today = useToday(timeZone)
  const stored = new Map([...queue.sent, ...sales].map((sale) => [sale.id, sale]))
  const unsent = queue.unsent.filter(({ id }) => !stored.has(id)).toReversed()
  const isOfToday = ({ at }: MarketSale) => dayOf(at, timeZone) === today
  const sold = [...stored.values()].filter(isOfToday).toSorted((a, b) => b.at - a.at)
  return {
    unsent,
    sold,
    total: [...unsent.filter(isOfToday), ...sold].reduce((sum, { cents }) => sum + cents, 0),
  }
}

const TODAY = 'today'

function Today({ unsent, sold, total }: ReturnType<typeof useTodaysSales>) {
  const currency = useCurrency()
  return (
    <section
      className={`card ${css.today}`}
      aria-labelledby={TODAY}
    >
      <h2 id={TODAY}>{texts.today}</h2>
      {unsent.length + sold.length === 0 && <p className="soft flush">{texts.none}</p>}
      <ul className="bare-list">
        {unsent.map((sale) => (
          <SaleRow
            sale={sale}
            isUnsent
            key={sale.id}
          />
        ))}
        {sold.map((sale) => (
          <SaleRow
            sale={sale}
            key={sale.id}
          />
        ))}
      </ul>
      <p className={`wrap apart flush ${css.sum}`}>
        <span>{texts.total}</span>{' '}
        <strong className="tabular">{formatMoney(total, currency)}</strong>
      </p>
    </section>
  )
}

function SaleRow({ sale, isUnsent = false }: { sale: QueuedSale; isUnsent?: boolean }) {
  const currency = useCurrency()
  return (
    <li className={css.sale}>
      <span>
        {sale.name} <span className="soft small">{paymentMethodName(sale.method)}</span>
        {sale.error && <span className="error"> {sale.error}</span>}
      </span>
      <strong className="tabular">{formatMoney(sale.cents, currency)}</strong>
      {isUnsent && (
        <>
          <span className={`row small ${css.unsent}`}>
            <CircleAlert
              size={18}
              aria-hidden
            />{' '}
            {texts.unsent}
          </span>
          <RemoveButton sale={sale} />
        </>
      )}
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
