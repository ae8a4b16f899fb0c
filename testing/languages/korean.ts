import { language } from "./language";

export const korean = language(
  "ko",
  {
    password: {
      title: "비밀번호 재설정",
      html: "<p>로그인 화면에서 ‘비밀번호를 잊으셨나요?’를 누르세요. 한 시간 동안 유효한 링크를 보내 드립니다. 새 비밀번호는 열두 자 이상이어야 합니다.</p>",
    },
    invoice: {
      title: "청구서 내려받기",
      html: "<p>모든 청구서는 결제 메뉴에서 PDF 파일로 받을 수 있습니다. 계정 소유자에게는 매월 초에 이메일로도 보내 드립니다.</p>",
    },
    export: {
      title: "데이터 내보내기",
      html: "<p>내보낸 압축 파일에는 모든 문서가 Markdown 형식으로 들어 있습니다. 파일이 크면 준비가 끝났을 때 알려 드립니다.</p>",
    },
    invite: {
      title: "구성원 초대",
      html: "<p>새 구성원의 이메일 주소를 입력하고 역할을 선택하세요. 초대는 7일 후에 만료됩니다. 손님은 읽기만 할 수 있고 수정할 수 없습니다.</p>",
    },
    quiet: {
      title: "알림 끄기",
      html: "<p>알림을 받고 싶지 않은 시간대를 정할 수 있습니다. 그동안 온 알림은 모아 두었다가 다음 날 아침에 한 통의 메일로 보냅니다.</p>".normalize(
        "NFD",
      ),
    },
    backup: {
      title: "데이터베이스 백업",
      html: "<p>매일 밤 데이터베이스를 자동으로 백업하고 30일 동안 보관합니다. 한 달에 한 번은 복원할 수 있는지 확인하세요.</p>",
    },
    key: {
      title: "API 키 교체",
      html: "<p>새 키를 만들어 프로그램에 넣은 다음 이전 키를 폐기하세요. 읽기 전용 키로는 아무것도 바꿀 수 없습니다.</p>",
    },
    twoFactor: {
      title: "2단계 인증 켜기",
      html: "<p>비밀번호를 입력한 뒤 앱에서 만든 인증번호를 한 번 더 입력합니다. 예비 번호는 안전한 곳에 보관하세요.</p>",
    },
  },
  [
    { query: "비밀번호", finds: ["password", "twoFactor"], first: true, only: true, why: "particles in the texts" },
    {
      query: "비밀번호".normalize("NFD"),
      finds: ["password", "twoFactor"],
      first: true,
      only: true,
      why: "letters of their own",
    },
    { query: "비밀번호 재설정", finds: ["password"], first: true, only: true, why: "the title" },
    {
      query: "비밀번호재설정",
      finds: ["password"],
      first: true,
      only: true,
      corrected: true,
      why: "without its blank",
    },
    { query: "청구서", finds: ["invoice"], first: true, only: true, why: "a particle in the text" },
    { query: "인증번호", finds: ["twoFactor"], first: true, only: true, why: "a compound and a particle" },
    { query: "번호", finds: ["twoFactor", "password"], only: true, why: "a word, and the end of compounds" },
    { query: "구성원초대", finds: ["invite"], first: true, corrected: true, why: "without its blank" },
    {
      query: "이메일주소",
      finds: ["invite"],
      first: true,
      corrected: true,
      why: "without its blank, a particle in the text",
    },
    { query: "이메일 주소", finds: ["invite"], first: true, only: true, why: "two words inside a sentence" },
    { query: "데이터", finds: ["export", "backup"], only: true, why: "a word, and the beginning of a longer one" },
    { query: "데이터베이스", finds: ["backup"], first: true, only: true, why: "not every text with 데이터" },
    { query: "데이터베이스백업", finds: ["backup"], first: true, corrected: true, why: "without its blank" },
    { query: "백업", finds: ["backup"], first: true, only: true, why: "an ending in the text" },
    { query: "자동 백업", finds: ["backup"], first: true, only: true, why: "a particle between in the text" },
    { query: "자동백업", finds: ["backup"], first: true, corrected: true, why: "so, without the blank" },
    { query: "API키", finds: ["key"], first: true, only: true, why: "two scripts without a blank" },
    { query: "api 키", finds: ["key"], first: true, only: true, why: "two scripts and a blank" },
    { query: "시간대", finds: ["quiet"], first: true, only: true, why: "the text has letters of their own" },
    { query: "초대", finds: ["invite"], first: true, only: true, why: "a particle in the text" },
  ],
);
