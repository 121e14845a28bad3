import { data } from 'react-router'
import { cardView, isForSale, mayVisit } from '#catalog/catalog.ts'
import { ItemNotFound, ItemPage, descriptionCutoff } from '#catalog/item-page.tsx'
import { itemNotes, withInches } from '#catalog/item-notes.server.ts'
import { frameRatio, parseSelectedImage } from '#catalog/selected-image.ts'
import {
  getItemCached,
  getMostOrderedCached,
  getSimilarCached,
  listFavoriteItems,
} from '#catalog/catalog.server.ts'
import { readReadyNote } from '#production-queue/production-queue.server.ts'
import { readAvailability } from '#catalog/item-holds.server.ts'
import { newRequest, readOrderColors, readRequestState } from '#orders/order-request.server.ts'
import { getSettingsCached } from '#settings/settings.server.ts'
import { linesOf } from '#settings/shop-settings.ts'
import { readAwayText } from '#settings/vacation.server.ts'
import { hasName } from '#services/guest-name.ts'
import { appContext, userContext } from '#services/context.ts'
import { lazyComponent } from '#ui/lazy-component.tsx'
import type { Route } from './+types/item'

export const handle = { hasFooter: true }

const OrderRequestBox = lazyComponent(
  async () => (await import('#orders/order-request-form.tsx')).OrderRequestForm,
)

const NotForSale = lazyComponent(async () => (await import('#orders/not-for-sale.tsx')).NotForSale)

const MAX_SHOWN_FAVORITES = 24

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const { db } = app
  const user = context.get(userContext)
  const item = await getItemCached(app, params.itemid)
  if (!item || !(mayVisit(item.state) || user?.role === 'owner')) {
    return data({ item: null }, { status: 404 })
  }
  const settings = await getSettingsCached(app)
  const [availability, favorites, ordered, request, ready, colors, away] = await Promise.all([
    readAvailability(app, item, user?.id ?? null),
    user && listFavoriteItems(db, user.id, { showsSold: settings.soldPieces === 'shown' }),
    isForSale(item.state) ? getMostOrderedCached(app, item.id) : getSimilarCached(app, item),
    user ? readRequestState(db, user.id, item.id) : newRequest,
    readReadyNote(app, item),
    readOrderColors(app, item),
    readAwayText(app),
  ])
  return {
    item: withInches(item, settings),
    ...itemNotes({
      ...settings,
      leadTime: item.kind === 'unique' ? '' : ready || settings.leadTime,
    }),
    availability,
    firstShown: parseSelectedImage(item.images, url.searchParams),
    cut: descriptionCutoff(item.description),
    ratio: frameRatio(item),
    favorites: favorites && {
      isOne: favorites.some(({ id }) => id === item.id),
      items: favorites
        .filter(({ id }) => id !== item.id)
        .slice(0, MAX_SHOWN_FAVORITES)
        .map((favorite) => cardView(favorite)),
      count: favorites.length,
    },
    ...ordered,
    box: {
      colors,
      linkedColorId: url.searchParams.get('color'),
      steps: linesOf(settings.orderSteps),
      away,
      viewer: user?.role ?? ('visitor' as const),
      userId: user?.id ?? null,
      asksName: user !== null && !hasName(user),
      requestState: request.state,
      requestedColor: request.color,
    },
  }
}

export default function ItemRoute({ loaderData }: Route.ComponentProps) {
  return (
    <main
      className="page"
      id="main"
    >
      {loaderData.item ? (
        <ItemPage
          {...loaderData}
          key={loaderData.item.id}
        >
          {(colorId) =>
            isForSale(loaderData.item.state) ? (
              <OrderRequestBox
                {...loaderData.box}
                item={loaderData.item}
                colorId={colorId}
              />
            ) : (
              <NotForSale
                item={loaderData.item}
                viewer={loaderData.box.viewer}
              />
            )
          }
        </ItemPage>
      ) : (
        <ItemNotFound />
      )}
    </main>
  )
}
