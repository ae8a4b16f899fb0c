import { language } from "./language";

export const vietnamese = language(
  "vi",
  {
    password: {
      title: "Đặt lại mật khẩu",
      html: "<p>Trên trang đăng nhập, hãy chọn “Quên mật khẩu”. Chúng tôi sẽ gửi một liên kết có hiệu lực trong một giờ. Mật khẩu mới phải có ít nhất mười hai ký tự.</p>",
    },
    invoice: {
      title: "Tải hóa đơn",
      html: "<p>Mọi hóa đơn đều có ở dạng PDF trong mục Thanh toán. Chủ tài khoản cũng nhận được hóa đơn qua thư điện tử vào đầu tháng.</p>",
    },
    export: {
      title: "Xuất dữ liệu",
      html: "<p>Bản xuất gồm tất cả bài viết ở định dạng Markdown trong một tệp nén. Nếu mất nhiều thời gian, chúng tôi sẽ báo khi tệp đã sẵn sàng.</p>",
    },
    invite: {
      title: "Mời thành viên",
      html: "<p>Nhập địa chỉ của người đó và chọn một vai trò. Lời mời hết hạn sau bảy ngày. Khách chỉ được đọc chứ không được sửa.</p>",
    },
    quiet: {
      title: "Tắt thông báo",
      html: "<p>Hãy cho biết những giờ bạn không muốn bị làm phiền. Trong thời gian đó, thông báo được giữ lại và buổi sáng bạn nhận một bản tóm tắt.</p>".normalize(
        "NFD",
      ),
    },
    backup: {
      title: "Sao lưu cơ sở dữ liệu",
      html: "<p>Mỗi đêm hệ thống tạo một bản sao lưu và giữ trong ba mươi ngày. Hãy thử khôi phục mỗi tháng một lần.</p>",
    },
    key: {
      title: "Gia hạn khóa API",
      html: "<p>Tạo một khóa mới, thay khóa cũ trong chương trình của bạn rồi thu hồi nó. Khóa chỉ đọc không thể thay đổi gì.</p>",
    },
  },
  [
    { query: "mật khẩu", finds: ["password"], first: true, only: true, why: "all marks" },
    { query: "mat khau", finds: ["password"], first: true, only: true, why: "no marks" },
    { query: "MẬT KHẨU", finds: ["password"], first: true, only: true, why: "capitals" },
    { query: "mật khẩu".normalize("NFD"), finds: ["password"], first: true, only: true, why: "marks of their own" },
    { query: "dat lai mat khau", finds: ["password"], first: true, only: true, why: "d for đ" },
    { query: "Đặt lại", finds: ["password"], first: true, only: true, why: "a capital Đ" },
    { query: "dang nhap", finds: ["password"], first: true, why: "d for đ in the text" },
    { query: "hoa don", finds: ["invoice"], first: true, only: true, why: "d for đ" },
    { query: "hoá đơn", finds: ["invoice"], first: true, only: true, why: "the tone on the other vowel" },
    { query: "dien tu", finds: ["invoice"], first: true, only: true, why: "d for đ, no marks" },
    { query: "du lieu", finds: ["export", "backup"], only: true, why: "no marks" },
    { query: "sao luu", finds: ["backup"], first: true, only: true, why: "no marks" },
    { query: "thong bao", finds: ["quiet"], first: true, why: "no marks" },
    { query: "buổi sáng", finds: ["quiet"], first: true, only: true, why: "the text has marks of their own" },

    { query: "tai khaon", finds: ["invoice"], only: true, corrected: "tai khoản", why: "two letters changed places" },
  ],
);
