import { SceneForm, type SceneView } from '#app/features/images/scene-form.tsx'
import {
  PageTextsEditor,
  TextField,
  TextGroup,
  TextGroupCheckbox,
} from '#app/features/settings/page-texts-form.tsx'
import type { PageTextsResult } from '#app/features/settings/page-texts.ts'
import css from './edit-home-page.module.css'
import { EditRing } from './edit-ring.tsx'
import { type HomeTexts, MAX_WORD_LENGTH, MAX_WORDS } from './home-texts.ts'
import { editHomeTexts as texts } from './owner-texts.ts'
import type { CircleView } from './showcase.ts'

type Props = {
  texts: HomeTexts
  circles: CircleView[]
  /** The categories without a circle on the home page. */
  others: { id: string; title: string }[]
  wallpapers: SceneView[]
  sections: SceneView[]
  hasDiscounts: boolean
  answer: PageTextsResult | undefined
}

type TextKey = Exclude<keyof HomeTexts, 'isPromoShown' | 'homeWords'>

export function EditHomePage({
  texts: stored,
  circles,
  others,
  wallpapers,
  sections,
  hasDiscounts,
  answer,
}: Props) {
  const values = {
    ...stored,
    homeWords: stored.homeWords.join('\n'),
    isPromoShown: stored.isPromoShown ? 'yes' : '',
  }
  const field = (name: TextKey, label: string, more: { rows?: number; hint?: string } = {}) => (
    <TextField
      name={name}
      label={label}
      stored={stored[name]}
      answer={answer}
      {...more}
    />
  )
  return (
    <PageTextsEditor
      title={texts.title}
      intro={texts.intro}
      action="/manage/home/"
      page="/"
      stored={values}
      answer={answer}
    >
      <Scenes
        id="wallpapers"
        title={texts.wallpapers}
        views={wallpapers}
      />
      <Scenes
        id="sections"
        title={texts.sectionPictures}
        views={sections}
      />
      <EditRing
        circles={circles}
        others={others}
      />
      <TextGroup title={texts.texts}>
        {field('homeHeadline', texts.headline)}
        <TextField
          name="homeWords"
          label={texts.words}
          stored={values.homeWords}
          answer={answer}
          rows={MAX_WORDS}
          hint={texts.wordsHint(MAX_WORDS, MAX_WORD_LENGTH)}
        />
        {field('homeLead', texts.lead, { rows: 2 })}
      </TextGroup>
      <TextGroup title={texts.sections.first}>
        {field('homeTitle1', texts.sectionTitle)}
        {field('homeText1', texts.sectionText, { rows: 4 })}
        {field('homeLink1', texts.link)}
        {field('homeTo1', texts.to, { hint: texts.toHint })}
      </TextGroup>
      <TextGroup title={texts.sections.second}>
        {field('homeTitle2', texts.sectionTitle)}
        {field('homeText2', texts.sectionText, { rows: 4 })}
        {field('homeLink2', texts.link)}
        {field('homeTo2', texts.to, { hint: texts.toHint })}
      </TextGroup>
      <TextGroup title={texts.promo}>
        <TextGroupCheckbox
          name="isPromoShown"
          label={texts.isPromoShown}
          isStored={stored.isPromoShown}
          answer={answer}
        />
        {stored.isPromoShown && !hasDiscounts && <p className="notice">{texts.noDiscount}</p>}
        {field('promoText', texts.promoText)}
        {field('promoTo', texts.promoTo, { hint: texts.toHint })}
      </TextGroup>
    </PageTextsEditor>
  )
}

const Scenes = ({ id, title, views }: { id: string; title: string; views: SceneView[] }) => (
  <section
    className={`card flush slim ${css.group}`}
    aria-labelledby={id}
  >
    <h2
      id={id}
      className={css.title}
    >
      {title}
    </h2>
    <div className={`stack ${css.scenes}`}>
      {views.map((view) => (
        <SceneForm
          key={view.scene}
          {...view}
        />
      ))}
    </div>
  </section>
)
