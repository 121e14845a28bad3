import { data } from 'react-router'
import { cardView, isForSale, mayVisit } from '#app/features/catalog/catalog.ts'
import { ItemNotFound, ItemPage, descriptionCutoff } from '#app/features/catalog/item-page.tsx'
import { itemNotes, withInches } from '#app/features/catalog/item-notes.server.ts'
import { frameRatio, parseSelectedImage } from '#app/features/catalog/selected-image.ts'
import {
  getSimilarCached,
  listFavoriteItems,
  getMostOrderedCached,
} from '#app/features/catalog/catalog.server.ts'
import { getItemCached } from '#app/features/catalog/find-item.server.ts'
import { readReadyNote } from '#app/features/production-queue/ready-date.server.ts'
import { readAvailability } from '#app/features/catalog/holds.server.ts'
import { readRequestState } from '#app/features/orders/orders.server.ts'
import { getSettingsCached } from '#app/features/settings/settings.server.ts'
import { hasName } from '#app/services/guest-name.ts'
import { appContext, userContext } from '#app/services/context.ts'
import { lazyComponent } from '#app/ui/lazy-component.tsx'
import type { Route } from './+types/item'

export const handle = { hasFooter: true }

// Few visitors send an order request, and the form is below the images, so the code of the form is loaded later.
const OrderRequestBox = lazyComponent(
  async () => (await import('#app/features/orders/order-request-form.tsx')).OrderRequestForm,
)

// Only few items are not for sale, so most item pages do not load this code.
const NotForSale = lazyComponent(
  async () => (await import('#app/features/orders/not-for-sale.tsx')).NotForSale,
)

/** The row of favorites below the item shows at most this many items. The gallery shows all favorites. */
const MAX_SHOWN_FAVORITES = 24

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const { db } = app
  const user = context.get(userContext)
  const item = await getItemCached(app, params.itemid)
  // Only the owner can open the page of a draft item.
  if (!item || !(mayVisit(item.state) || user?.role === 'admin'))
    return data({ item: null }, { status: 404 })
  const settings = await getSettingsCached(app)
  const [availability, favorites, ordered, requestState, ready] = await Promise.all([
    readAvailability(app, item, user?.id ?? null),
    user && listFavoriteItems(db, user.id, { showsSold: settings.soldPieces === 'shown' }),
    isForSale(item.state) ? getMostOrderedCached(app, item.id) : getSimilarCached(app, item),
    user ? readRequestState(db, user.id, item.id) : ('new' as const),
    readReadyNote(app, item),
  ])
  return {
    item: withInches(item, settings),
    // A one-of-a-kind piece exists already, so it has no lead time.
    ...itemNotes(
      item.kind === 'unique'
        ? { ...settings, leadTime: '' }
        : ready
          ? { ...settings, leadTime: ready }
          : settings,
    ),
    availability,
    firstShown: parseSelectedImage(item.pictures, new URL(request.url).searchParams),
    cut: descriptionCutoff(item.description),
    ratio: frameRatio(item),
    favorites: favorites && {
      isOne: favorites.some(({ id }) => id === item.id),
      items: favorites
        .filter(({ id }) => id !== item.id)
        .slice(0, MAX_SHOWN_FAVORITES)
        .map((one) => cardView(one)),
      count: favorites.length,
    },
    ...ordered,
    box: {
      itemId: item.id,
      viewer: user?.role ?? ('visitor' as const),
      userId: user?.id ?? null,
      asksName: user !== null && !hasName(user),
      requestState,
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
                colors={loaderData.item.colors}
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
