import { Fragment, useRef, type ReactNode } from 'react'
import { ImageField } from '#images/image-field.tsx'
import { imageErrorTexts } from '#images/owner-texts.ts'
import { SceneForm, type SceneView } from '#images/scene-form.tsx'
import { PageTextsEditor, TextGroup, TextInput } from '#settings/page-texts-form.tsx'
import type { PageTextsResult } from '#settings/page-texts.server.ts'
import { firstCharacter } from '#lib/text/first-character.ts'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { InputField, SelectField } from '#ui/form-fields.tsx'
import { ChevronDown } from '#ui/icons.tsx'
import { MoveForm, useReordering } from '#ui/reordering.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import { focusSaveButton, useStoredValues } from '#ui/use-stored-values.ts'
import css from './edit-home-page.module.css'
import type { HomeEditor } from './home.actions.server.ts'
import { editHomeTexts as texts, ringTexts } from './owner-texts.ts'
import type { CircleView } from './showcase.server.ts'

type EditHomePageProps = HomeEditor & { answer: PageTextsResult | undefined }

export function EditHomePage({ sections, hasDiscounts, answer, ...editor }: EditHomePageProps) {
  return (
    <PageTextsEditor
      title={texts.title}
      intro={texts.intro}
      action="/manage/home/"
      page="/"
      sections={sections}
      answer={answer}
    >
      <Scenes
        id="wallpapers"
        title={texts.wallpapers}
        views={editor.wallpapers}
      />
      <Scenes
        id="sections"
        title={texts.sectionImages}
        views={editor.sectionImages}
      />
      <EditRing
        circles={editor.circles}
        others={editor.others}
      />
      {sections.map(({ id, title, inputs }) => (
        <TextGroup
          title={title}
          key={id}
        >
          {inputs.map((input) => (
            <Fragment key={input.key}>
              <TextInput
                input={input}
                answer={answer}
              />
              {input.key === 'isPromoShown' && input.value && !hasDiscounts && (
                <p className="notice">{texts.noDiscount}</p>
              )}
            </Fragment>
          ))}
        </TextGroup>
      ))}
    </PageTextsEditor>
  )
}

const Scenes = ({ id, title, views }: { id: string; title: string; views: SceneView[] }) => (
  <section
    className={`card m-0 min-w-0 ${css.group}`}
    aria-labelledby={id}
  >
    <h2
      id={id}
      className={css.title}
    >
      {title}
    </h2>
    <div className={`grid gap-4 ${css.scenes}`}>
      {views.map((view) => (
        <SceneForm
          key={view.scene}
          {...view}
        />
      ))}
    </div>
  </section>
)

type EditRingProps = Pick<HomeEditor, 'circles' | 'others'>

function EditRing({ circles, others }: EditRingProps) {
  const list = useReordering(circles)
  return (
    <section
      className={`card m-0 min-w-0 ${css.group}`}
      aria-labelledby="ring"
    >
      <h2
        id="ring"
        className={css.title}
      >
        {ringTexts.title}
      </h2>
      <p className="text-soft">{circles.length > 0 ? ringTexts.hint : ringTexts.empty}</p>
      <SortableList
        className={`grid gap-4 list-none ${css.ring}`}
        items={list.entries.map((circle) => ({ ...circle, name: circle.categoryTitle }))}
        label={ringTexts.order}
        onMove={list.move}
        render={(circle, handle) => (
          <CircleRow
            circle={circle}
            handle={handle}
            isLast={circles.length === 1}
          >
            <MoveForm
              list={list}
              id={circle.id}
              name={circle.categoryTitle}
            />
          </CircleRow>
        )}
      />
      {others.length > 0 && <AddCircle others={others} />}
    </section>
  )
}

type CircleRowProps = {
  circle: CircleView
  handle: ReactNode
  isLast: boolean
  children: ReactNode
}

function CircleRow({ circle, handle, isLast, children }: CircleRowProps) {
  const removal = useActionForm()
  const { id, categoryTitle, image, isShown } = circle
  return (
    <div className={css.circle}>
      <div className={`flex items-center gap-3 min-w-0 ${css.head}`}>
        {handle}
        <span
          className={`rounded-full bg-raised grid place-items-center flex-none ${css.photo}`}
          aria-hidden
        >
          {image ? (
            <ResponsiveImage
              image={image}
              alt=""
              sizes="3rem"
              className="size-full"
            />
          ) : (
            firstCharacter(categoryTitle)
          )}
        </span>
        {/* Every name has two lines, because rows that the owner drags need the same height. */}
        <h3 className={`min-w-0 m-0 line-clamp-2 ${css.name}`}>{categoryTitle}</h3>
      </div>
      <details className={`fold relative ${css.details}`}>
        <summary
          className={`rounded-full ${css.summary}`}
          aria-label={ringTexts.editCircle(categoryTitle)}
        >
          {ringTexts.edit}
          <ChevronDown size={18} />
        </summary>
        <div className="grid gap-4">
          {!isShown && <p className="hint m-0">{ringTexts.unseen}</p>}
          <CircleForm {...circle} />
          <div className="row">
            {children}
            {!isLast && (
              <ConfirmForm
                form={removal}
                fields={{ intent: 'remove-circle', id }}
                label={ringTexts.remove}
                ariaLabel={ringTexts.removeCircle(categoryTitle)}
                question={ringTexts.removeQuestion(categoryTitle)}
                className="button quiet"
              />
            )}
          </div>
        </div>
      </details>
    </div>
  )
}

function CircleForm({ id, title, categoryTitle }: CircleView) {
  const form = useActionForm()
  const { isPending } = form
  const element = useRef<HTMLFormElement>(null)
  useStoredValues(element, { title })
  return (
    <ActionForm
      form={form}
      ref={element}
      encType="multipart/form-data"
      className="grid gap-4"
      onSubmit={focusSaveButton}
      fields={{ intent: 'save-circle', id }}
    >
      <div
        className="grid gap-4"
        inert={isPending}
      >
        <InputField
          id={`title-${id}`}
          label={ringTexts.circleTitle}
          name="title"
          defaultValue={title}
        />
        <ImageField
          label={ringTexts.image}
          errorTexts={imageErrorTexts}
        />
      </div>
      <div className="row">
        <SubmitButton aria-label={ringTexts.saveCircle(categoryTitle)}>
          {isPending ? ringTexts.saving : ringTexts.save}
        </SubmitButton>
      </div>
    </ActionForm>
  )
}

function AddCircle({ others }: Pick<EditRingProps, 'others'>) {
  const form = useActionForm()
  return (
    <ActionForm
      form={form}
      className={`row ${css.add}`}
      fields={{ intent: 'add-circle' }}
    >
      <SelectField
        label={ringTexts.addCategory}
        name="categoryId"
        error={form.answer?.error}
      >
        {others.map(({ id, title }) => (
          <option
            value={id}
            key={id}
          >
            {title}
          </option>
        ))}
      </SelectField>
      <SubmitButton className="button quiet">{ringTexts.add}</SubmitButton>
    </ActionForm>
  )
}
