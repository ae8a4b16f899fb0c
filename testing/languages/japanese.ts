import { language } from "./language";

export const japanese = language(
  "ja",
  {
    password: {
      title: "パスワードを忘れた場合",
      html: "<p>ログイン画面の「お忘れの方」を押してください。届いたメールのリンクから、パスワードを変更することができます。リンクの有効期限は一時間です。</p>",
    },
    invoice: {
      title: "請求書のダウンロード",
      html: "<p>請求書はすべてPDF形式で「お支払い」ページに保存されています。アカウントの所有者には、毎月初めにメールでもお送りします。</p>",
    },
    export: {
      title: "データの書き出し",
      html: "<p>書き出したファイルには、すべての記事がMarkdown形式で入っています。時間がかかるときは、準備ができしだいお知らせします。</p>",
    },
    invite: {
      title: "メンバーの招待",
      html: "<p>新しいメンバーの連絡先を入力し、役割を選びます。招待は七日後に無効になります。ゲストは閲覧だけができ、編集はできません。</p>",
    },
    quiet: {
      title: "通知を止める",
      html: "<p>通知を受け取りたくない時間帯を設定できます。その間の通知は保留され、翌朝に一通のメールにまとめて届きます。</p>",
    },
    backup: {
      title: "データベースのバックアップ",
      html: "<p>毎晩、データベースのバックアップが自動で作成され、三十日間保存されます。月に一度は復元できるかどうかを確認してください。</p>",
    },
    key: {
      title: "APIキーの更新",
      html: "<p>新しいキーを作成し、プログラムの中のキーを置き換えてから、古いキーを無効にします。読み取り専用のキーでは何も変更できません。</p>",
    },
    address: {
      title: "メールアドレスの変更",
      html: "<p>プロフィール画面で新しいアドレスを入力すると、確認メールが届きます。リンクを開くまでは、これまでのアドレスが使われます。</p>",
    },
    search: {
      title: "記事を探す",
      html: "<p>検索欄に単語を入力すると、公開中の記事から探します。下書きは検索されません。</p>",
    },
    support: {
      title: "サポートの受付時間",
      html: "<p>お問い合わせには、営業日の午前九時から午後五時までにお答えします。ご自分のペースで解決したい方は、よくある質問をご覧ください。</p>".normalize(
        "NFD",
      ),
    },
  },
  [
    { query: "パスワード", finds: ["password"], first: true, only: true, why: "a word before a particle" },
    { query: "パスワード変更", finds: ["password"], first: true, only: true, why: "the text has を between" },
    { query: "パスワードの変更", finds: ["password"], first: true, only: true, why: "の, where the text has を" },
    { query: "パスワードを変更", finds: ["password"], first: true, only: true, why: "as it is written" },
    { query: "パスワード 変更", finds: ["password"], first: true, only: true, why: "a blank" },
    { query: "パスワード　変更", finds: ["password"], first: true, only: true, why: "a full-width blank" },
    { query: "ﾊﾟｽﾜｰﾄﾞ", finds: ["password"], first: true, only: true, why: "half-width kana" },
    { query: "パスワード".normalize("NFD"), finds: ["password"], first: true, only: true, why: "dots of their own" },
    { query: "メールアドレス変更", finds: ["address"], first: true, only: true, why: "the title has の between" },
    { query: "請求書", finds: ["invoice"], first: true, only: true, why: "a word before a particle" },
    { query: "請求書をダウンロード", finds: ["invoice"], first: true, only: true, why: "を, where the title has の" },
    { query: "検索", finds: ["search"], first: true, only: true, why: "a word inside a sentence" },
    { query: "検", finds: ["search"], first: true, only: true, why: "one character" },
    { query: "APIキー", finds: ["key"], first: true, only: true, why: "two scripts" },
    { query: "ＡＰＩキー", finds: ["key"], first: true, only: true, why: "full-width letters" },
    { query: "apiキーの更新", finds: ["key"], first: true, only: true, why: "two scripts and a particle" },
    { query: "PDF形式", finds: ["invoice"], first: true, only: true, why: "two scripts inside a sentence" },
    { query: "データ", finds: ["export", "backup"], only: true, why: "a word, and the beginning of a longer one" },
    { query: "データベース", finds: ["backup"], first: true, only: true, why: "not every text with データ" },
    { query: "ペース", finds: ["support"], first: true, only: true, why: "not ベース: the mark makes another letter" },
    { query: "午後五時まで", finds: ["support"], first: true, only: true, why: "the text has dots of their own" },
    { query: "自動", finds: ["backup"], first: true, only: true, why: "a word inside a sentence" },
    { query: "自動バックアップ", finds: ["backup"], first: true, only: true, why: "two words that stand apart" },
    { query: "お支払い", finds: ["invoice"], first: true, only: true, why: "kana around kanji" },
    { query: "書き出し", finds: ["export"], first: true, only: true, why: "kana between kanji" },
    { query: "通知", finds: ["quiet"], why: "a word that Chinese writes alike" },
    { query: "閲覧", finds: ["invite"], first: true, only: true, why: "a word inside a sentence" },
  ],
);
